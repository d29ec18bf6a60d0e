public import Dispatch
public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the events of an IIO device, such as crossed thresholds. Each event is a stream. Its readings are 1 for
  /// rising, -1 for falling, 0 without a direction, and 1 and 2 for a single and a double tap.
  ///
  /// ```swift
  /// let events = try Publishers.IIOEvents(device: "adxl345", events: ["accel_x_thresh_rising=300"])
  /// let cancellable = events.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.stream, $0.time) })
  /// ```
  ///
  /// The initializer enables exactly the named events. All changes are undone at the end of the subscription. There may
  /// be one subscriber. Events come at once, on a thread of the publisher, which reads only while there is demand.
  /// Without demand, the kernel keeps 16 events. Further losses are not counted, but a full FIFO is
  /// (``DeviceLosses/Sign/full``). An event with a name that was not requested is a reading of the last stream, with
  /// the kernel's identifier as its value. If the device is removed, it fails with `SluiceError.Code.disconnected`,
  /// unless `whenRemoved` is set.
  ///
  /// The scans of the same device can be recorded too. Make this publisher first, because it opens the device for a
  /// moment.
  public struct IIOEvents: Publisher {
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// The streams: one per event in the given order, and one for other events.
    public let streams: [StreamDescription]
    /// The losses that are known.
    public let losses: DeviceLosses
    /// Left when the device is restored.
    public let teardown = DispatchGroup()
    /// State of killed recordings that was restored, except for each ``IIOState/failure``.
    public var restored: [IIOState] { capture.restored }
    private let capture: IIOEventCapture
    private let setup: IIOSetup<IIOEventCapture>
    private let wake: WakePipe
    private var base: StreamID
    private var clock = EpochClock()

    /// - Parameters:
    ///   - device: The id, number, name or label of the device.
    ///   - events: The names of the events, each optionally with `=` and a new threshold; empty for all.
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
      let names = capture.events.map(\.name) + ["other"]
      streams = names.map {
        StreamDescription(
          name: "\(capture.device.name):\($0)", channels: [StreamDescription.Channel(name: "event")],
          device: capture.device.identity(roots))
      }
      losses = DeviceLosses(
        coverage: .none, reason: "with events of IIO, which the kernel does not count,",
        remedy: "record the device's scans instead", countsAll: false)
      wake = try WakePipe()
    }

    /// The same events with other stream numbers.
    /// - Parameter clock: A clock for several publishers, so that they have the same offset.
    public func streams(from stream: StreamID, clock: EpochClock? = nil) -> IIOEvents {
      var other = self
      (other.base, other.clock) = (stream, clock ?? self.clock)
      return other
    }

    /// Ends the stream at the source. Readings that were read are delivered, then the stream finishes.
    public func finish() { wake.finish() }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      let reader = IIOEventReader(IIOConnection(capture, setup, losses), base, clock)
      DescriptorSource.attach("IIOEvents", reader, wake: wake, teardown: teardown, to: subscriber)
    }
  }
}

@_spi(Preview) extension Publishers.IIOEvents: ReadingSource {
  public func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    streams(from: first, clock: clock).eraseToAnyPublisher()
  }
  public static var finishes: Bool { true }
  public func waitUntilClosed() { teardown.wait() }
  public var lossReport: LossReport { losses.report }
  public var isAway: Bool { losses.isAway }
  public var isWhole: Bool { true }
}
