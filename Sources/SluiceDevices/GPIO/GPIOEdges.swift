public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the edges of GPIO lines of one chip. Each line is a stream, and each edge a reading of 1 (rising) or 0.
  ///
  /// ```swift
  /// let edges = try Publishers.GPIOEdges(chip: "gpiochip0", lines: ["3", "4"])
  /// let cancellable = edges.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.stream, $0.values[0]) })
  /// ```
  ///
  /// The initializer requests the lines, so that no edge is missed before a subscriber comes. There may be one
  /// subscriber. Edges are in the order of their times. They come on a thread of the publisher, which reads only while
  /// there is demand. Without demand, the kernel keeps 1,024 events (16 per line with libgpiod 1). ``losses`` counts
  /// the edges lost then; with libgpiod 1 it counts how often edges may have been lost (``DeviceLosses/Sign/full``).
  /// The next reading of the line has `Reading.Flags.gapBefore`.
  ///
  /// If the chip is removed, everything that it gave is published. Then the publisher fails with
  /// `SluiceError.Code.disconnected`. With `whenRemoved`, it instead searches for the chip every ``reconnectPeriod``
  /// milliseconds, by the same designation. A label or a line name finds the chip even under another number. The next
  /// reading of each line then has `Reading.Flags.gapBefore`. ``losses`` counts the removal, and shows whether the
  /// chip is still away.
  ///
  /// An edge after a silence comes at once. In a steady stream, edges gather for up to 10 ms, and for less at high
  /// rates, so that one wake-up brings several. With libgpiod 1 and several lines they come 50 ms later, because only
  /// their times show their order.
  public struct GPIOEdges: DevicePublisher {
    /// One per line, in the given order.
    public let streams: [StreamDescription]
    public let losses: DeviceLosses
    public var thread: DeviceThread
    /// The peak fill of the kernel's FIFO.
    public let fifo: FIFOLevel
    /// The time between searches for a removed chip, in milliseconds.
    public static let reconnectPeriod: Int32 = 200

    /// - Parameters:
    ///   - chip: The path, name, number or label of the chip.
    ///   - lines: The offsets or names of the lines.
    ///   - stream: The number of the first line's stream.
    ///   - consumer: The consumer name that gpioinfo shows, 1 to 31 bytes.
    ///   - root: The folder of device files.
    ///   - sys: The root of sysfs, which has the bus identity of the chip; nil for the `sys` beside `root`.
    ///   - whenRemoved: If set, the publisher waits for a chip that was removed. It is called with the removal
    ///     (`SluiceError.Code.disconnected`), then with each different error that prevents the return, and with nil
    ///     after the return.
    public init(
      chip: String, lines: [String], options: GPIOOptions = GPIOOptions(), stream: StreamID = StreamID(0),
      consumer: String = "sluice", root: String = "/dev", sys: String? = nil,
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      try self.init(
        GPIOLines(chip: chip, lines: lines), options: options, stream: stream, consumer: consumer, root: root, sys: sys,
        whenRemoved: whenRemoved)
    }

    /// Requests lines that were found by their names.
    public init(
      _ lines: GPIOLines, options: GPIOOptions = GPIOOptions(), stream: StreamID = StreamID(0),
      consumer: String = "sluice", root: String = "/dev", sys: String? = nil,
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      let open = { @Sendable () throws(SluiceError) -> GPIORequest in
        try GPIORequest(lines, options: options, consumer: consumer, root: root, sys: sys)
      }
      let request = try open()
      streams = request.lines.map { line in
        StreamDescription(
          name: line.name ?? "\(request.chipName):\(line.offset)",
          channels: [StreamDescription.Channel(name: "level", format: StreamDescription.Channel.level)],
          device: request.device)
      }
      let (losses, fifo) = (request.losses, FIFOLevel(capacity: request.capacity))
      (self.losses, self.fifo) = (losses, fifo)
      #if SLUICE_GPIO
        let reconnection = whenRemoved.map {
          DeviceReconnection(period: Self.reconnectPeriod, report: $0, isAbsence: lines.isAbsence, open: open)
        }
        thread = try DeviceThread("GPIOEdges", from: stream) { base, clock in
          GPIOReader(request, base, losses, fifo, clock, reconnection: reconnection)
        }
      #else
        throw GPIOChips.compiledOut
      #endif
    }
  }
}

extension Publishers.GPIOEdges: ReadingSource {
  public var kernelFIFO: FIFOLevel? { fifo }
}
