public import Dispatch
public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the events of an IIO device, such as thresholds that are crossed: each event is a stream, and a reading
  /// of it says 1 for rising, -1 for falling, 0 where there is no direction (1 and 2 for a single and a double tap).
  ///
  /// ```swift
  /// let events = try Publishers.IIOEvents(device: "adxl345", events: ["accel_x_thresh_rising=300"])
  /// let cancellable = events.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.stream, $0.time) })
  /// ```
  ///
  /// Exactly the named events are switched on when this is made; everything changed is put back when the subscription
  /// ends. It takes one subscriber. Events come at once, on a thread of the publisher's own, which reads only while
  /// there is demand: without it the kernel keeps 16, and what it loses after that is not counted, but that it was full
  /// (``DeviceLosses/Sign/full``) is. An event under a name that was not asked for is a reading of the last stream,
  /// with the kernel's identifier as its value. Fails with `SluiceError.Code.disconnected` when the device is removed,
  /// unless it is to be waited for.
  ///
  /// The same device's scans can be recorded as well; make this one first, since it opens the device for a moment.
  public struct IIOEvents: Publisher {
    /// It publishes readings.
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// An event each, in the order asked for, and one for others.
    public let streams: [StreamDescription]
    /// What is known to be missing.
    public let losses: DeviceLosses
    /// Left when the device is as it was before.
    public let teardown: DispatchGroup
    /// What earlier recordings, which were killed, had left: it has been put back, but for ``IIOState/failure``.
    public var restored: [IIOState] { capture.restored }
    private let capture: IIOEventCapture
    private let setup: IIOSetup<IIOEventCapture>
    private let wake: WakePipe
    private let base: StreamID
    private let clock: EpochClock

    /// - Parameters:
    ///   - device: By id, number, name or label.
    ///   - events: By name, with `=` and a new threshold where it is to have another; none means all.
    ///   - stream: The number of the first event's stream.
    ///   - whenRemoved: As for ``IIOScans``.
    public init(
      device: String, events: [String] = [], stream: StreamID = StreamID(0), roots: DeviceRoots = DeviceRoots(),
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      setup = IIOSetup(device: device, roots: roots, whenRemoved: whenRemoved) { found throws(SluiceError) in
        try IIOEventCapture(found, events: events, roots: roots)
      }
      let capture = try setup.session()
      self.capture = capture
      base = stream
      clock = EpochClock()
      let names = capture.events.map(\.name) + ["other"]
      streams = names.map {
        StreamDescription(
          name: "\(capture.device.name):\($0)", channels: [StreamDescription.Channel(name: "event")],
          device: capture.device.identity(roots))
      }
      losses = DeviceLosses(
        coverage: .none, reason: "with events of IIO, which the kernel does not count,",
        remedy: "record the device's scans instead", countsAll: false)
      teardown = DispatchGroup()
      wake = try WakePipe()
    }

    /// The same events, their streams numbered from another number.
    /// - Parameter clock: One for several publishers gives them the same offset.
    public func streams(from stream: StreamID, clock: EpochClock? = nil) -> IIOEvents { IIOEvents(self, stream, clock) }

    private init(_ other: IIOEvents, _ base: StreamID, _ clock: EpochClock?) {
      (streams, losses, teardown) = (other.streams, other.losses, other.teardown)
      (capture, setup, wake, self.base) = (other.capture, other.setup, other.wake, base)
      self.clock = clock ?? other.clock
    }

    /// Ends the stream where it begins: what was read is delivered, then it finishes.
    public func finish() { wake.finish() }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      let reader = IIOEventReader(IIOConnection(capture, setup, losses), base, losses, teardown, clock)
      DescriptorSource.attach("IIOEvents", reader, wake: wake, to: subscriber)
    }
  }
}
