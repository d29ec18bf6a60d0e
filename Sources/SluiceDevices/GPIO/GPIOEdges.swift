public import Dispatch
public import Sluice
public import SluiceRecording

#if SLUICE_GPIO
  import CGPIO
#endif

/// How lines are watched. What the installed libgpiod cannot do is refused.
public struct GPIOOptions: Hashable, Sendable {
  public enum Edges: String, CaseIterable, Sendable { case both, rising, falling }
  public enum Bias: String, CaseIterable, Sendable {
    case asIs = "as-is"
    case disabled
    case pullUp = "pull-up"
    case pullDown = "pull-down"
  }
  public enum Clock: String, CaseIterable, Sendable { case monotonic, realtime, hte }

  public var edges: Edges = .both
  public var bias: Bias = .asIs
  public var isActiveLow = false
  /// How long a level must last to count, in microseconds. Needs libgpiod 2.
  public var debounce: UInt32?
  /// How many events the kernel keeps for all lines together. Needs libgpiod 2, where it is 1,024 unless said otherwise;
  /// the kernel keeps 16 a line on its own (include/uapi/linux/gpio.h, `event_buffer_size`).
  public var fifo: UInt32?
  /// What the events' times come from. Anything but monotonic needs libgpiod 2.
  public var clock: Clock = .monotonic

  public init() {}
}

extension Publishers {
  /// Publishes the edges of GPIO lines of one chip: each line is a stream, each edge a reading of 1 (rising) or 0.
  ///
  /// ```swift
  /// let edges = try Publishers.GPIOEdges(chip: "gpiochip0", lines: ["3", "4"])
  /// let cancellable = edges.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.stream, $0.values[0]) })
  /// ```
  ///
  /// The lines are requested when this is made, so that nothing is missed before somebody subscribes; it takes one
  /// subscriber. Edges come in the order of their times, on a thread of the publisher's own, which reads only while there
  /// is demand: without it the kernel keeps 1,024 events (16 a line with libgpiod 1). What it loses then is counted in
  /// ``losses``, and the next reading of the line carries ``Reading/Flags/gapBefore``. Fails with
  /// ``SluiceError/Code/disconnected`` when the chip is removed.
  public struct GPIOEdges: _DirectPublisher {
    public typealias Output = Reading
    public typealias Failure = SluiceError

    /// A line each, in the order asked for.
    public let streams: [StreamDescription]
    public let losses: DeviceLosses
    public let fifo: FIFOLevel
    /// Left when the lines are free for others again, after the subscription has ended.
    public let teardown: DispatchGroup
    private let request: GPIORequest
    private let base: StreamID

    /// - Parameters:
    ///   - chip: By path, name, number or label.
    ///   - lines: By offset or by name.
    ///   - stream: The number of the first line's stream.
    ///   - root: Where device files are.
    public init(
      chip: String, lines: [String], options: GPIOOptions = GPIOOptions(), stream: StreamID = StreamID(0),
      consumer: String = "sluice", root: String = "/dev"
    ) throws(SluiceError) {
      let opened = try GPIOChip.find(chip, root: root)
      let request = try GPIORequest(opened, lines: lines, options: options, consumer: consumer)
      self.request = request
      streams = request.lines.map { line in
        StreamDescription(
          name: line.name ?? "\(request.chipName):\(line.offset)",
          channels: [StreamDescription.Channel(name: "level")])
      }
      base = stream
      losses = DeviceLosses()
      fifo = FIFOLevel(capacity: request.fifoCapacity)
      teardown = DispatchGroup()
    }

    /// The same lines, their streams numbered from another number.
    public func streams(from stream: StreamID) -> GPIOEdges { GPIOEdges(self, stream) }

    private init(_ other: GPIOEdges, _ base: StreamID) {
      (streams, losses, teardown) = (other.streams, other.losses, other.teardown)
      (request, fifo, self.base) = (other.request, other.fifo, base)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      #if SLUICE_GPIO
        DescriptorSource.attach("GPIOEdges", GPIOReader(request, base, losses, fifo, teardown), to: subscriber)
      #endif
    }
  }
}
