public import Dispatch
public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the edges of GPIO lines of one chip: each line is a stream, each edge a reading of 1 (rising) or 0.
  ///
  /// ```swift
  /// let edges = try Publishers.GPIOEdges(chip: "gpiochip0", lines: ["3", "4"])
  /// let cancellable = edges.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.stream, $0.values[0]) })
  /// ```
  ///
  /// The lines are requested when this is made, so that nothing is missed before somebody subscribes; it takes one
  /// subscriber. Edges come in the order of their times, on a thread of the publisher's own, which reads only while
  /// there is demand: without it the kernel keeps 1,024 events (16 a line with libgpiod 1). ``losses`` counts the edges
  /// lost then; with libgpiod 1 it counts how often edges may have been lost (``DeviceLosses/Sign/full``). The next
  /// reading of the line carries `Reading.Flags.gapBefore`.
  ///
  /// When the chip is removed, everything that it gave is published, then this fails with
  /// `SluiceError.Code.disconnected`. With `whenRemoved` it is looked for every ``reconnectPeriod`` milliseconds instead,
  /// as it was named: by label or line name also if it comes back under another number. The next reading of each line then
  /// carries `Reading.Flags.gapBefore`, and ``losses`` counts the removal and knows whether the chip is still away.
  ///
  /// An edge after a silence comes at once. In a steady stream edges gather for up to 10 ms, less the faster they come,
  /// so that one wake-up brings several. With libgpiod 1 and more than one line they come 50 ms later still, for only
  /// their times tell their order.
  public struct GPIOEdges: Publisher {
    /// It publishes readings.
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// A line each, in the order asked for.
    public let streams: [StreamDescription]
    /// What is known to be missing.
    public let losses: DeviceLosses
    /// How full the kernel's FIFO was.
    public let fifo: FIFOLevel
    /// Left when the lines are free for others again, after the subscription has ended.
    public let teardown: DispatchGroup
    /// How often a chip that was removed is looked for, in milliseconds.
    public static let reconnectPeriod: Int32 = 200
    private let request: GPIORequest
    private let wake: WakePipe
    private let base: StreamID
    private let clock: EpochClock
    private let lines: GPIOLines
    private let open: @Sendable () throws(SluiceError) -> GPIORequest
    private let whenRemoved: (@Sendable (SluiceError?) -> Void)?

    /// - Parameters:
    ///   - chip: By path, name, number or label.
    ///   - lines: By offset or by name.
    ///   - stream: The number of the first line's stream.
    ///   - consumer: Who uses the lines, as others see it: 1 to 31 bytes.
    ///   - root: Where device files are.
    ///   - sys: Where sysfs is, which says what a chip is connected to; nil means the `sys` beside `root`.
    ///   - whenRemoved: Given, a chip that is removed is waited for. Told of the removal
    ///     (`SluiceError.Code.disconnected`), then of any other error that keeps the chip from being used again, each
    ///     time it is another, and nil when it goes on.
    public init(
      chip: String, lines: [String], options: GPIOOptions = GPIOOptions(), stream: StreamID = StreamID(0),
      consumer: String = "sluice", root: String = "/dev", sys: String? = nil,
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      try self.init(
        GPIOLines(chip: chip, lines: lines), options: options, stream: stream, consumer: consumer, root: root, sys: sys,
        whenRemoved: whenRemoved)
    }

    /// The same for lines that were found by their names.
    public init(
      _ lines: GPIOLines, options: GPIOOptions = GPIOOptions(), stream: StreamID = StreamID(0),
      consumer: String = "sluice", root: String = "/dev", sys: String? = nil,
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      let open = { @Sendable () throws(SluiceError) -> GPIORequest in
        try GPIORequest(lines, options: options, consumer: consumer, root: root, sys: sys)
      }
      let request = try open()
      self.request = request
      self.lines = lines
      self.open = open
      self.whenRemoved = whenRemoved
      streams = request.lines.map { line in
        StreamDescription(
          name: line.name ?? "\(request.chipName):\(line.offset)",
          channels: [StreamDescription.Channel(name: "level", format: StreamDescription.Channel.level)],
          device: request.device)
      }
      base = stream
      clock = EpochClock()
      losses = request.losses
      fifo = FIFOLevel(capacity: request.capacity)
      teardown = DispatchGroup()
      wake = try WakePipe()
    }

    /// The same lines, their streams numbered from another number.
    /// - Parameter clock: One for several publishers gives them the same offset.
    public func streams(from stream: StreamID, clock: EpochClock? = nil) -> GPIOEdges { GPIOEdges(self, stream, clock) }

    private init(_ other: GPIOEdges, _ base: StreamID, _ clock: EpochClock?) {
      (streams, losses, teardown) = (other.streams, other.losses, other.teardown)
      (request, wake, fifo, self.base) = (other.request, other.wake, other.fifo, base)
      (lines, open, whenRemoved) = (other.lines, other.open, other.whenRemoved)
      self.clock = clock ?? other.clock
    }

    /// Ends the stream where it begins: what was read is delivered, then it finishes.
    public func finish() { wake.finish() }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      #if SLUICE_GPIO
        let reconnection = whenRemoved.map {
          GPIOReconnection(period: Self.reconnectPeriod, report: $0, isAbsence: lines.isAbsence, open: open)
        }
        DescriptorSource.attach(
          "GPIOEdges", GPIOReader(request, base, losses, fifo, teardown, clock, reconnection: reconnection), wake: wake,
          to: subscriber)
      #endif
    }
  }
}
