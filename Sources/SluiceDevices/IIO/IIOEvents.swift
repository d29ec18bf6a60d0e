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
  public struct IIOEvents: DevicePublisher {
    /// One per event in the given order, and one for other events.
    public let streams: [StreamDescription]
    public let losses: DeviceLosses
    public var thread: DeviceThread
    /// State of killed recordings that was restored, except for each ``IIOState/failure``.
    public let restored: [IIOState]

    /// - Parameters:
    ///   - device: The id, number, name or label of the device.
    ///   - events: The names of the events, each optionally with `=` and a new threshold; empty for all.
    ///   - stream: The number of the first event's stream.
    ///   - whenRemoved: As for ``IIOScans``.
    public init(
      device: String, events: [String] = [], stream: StreamID = StreamID(0), roots: DeviceRoots = DeviceRoots(),
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      let setup = IIOSetup(device: device, roots: roots, whenRemoved: whenRemoved) { found throws(SluiceError) in
        try IIOEventCapture(found, events: events, roots: roots)
      }
      let capture = try setup.session()
      restored = capture.restored
      let names = capture.events.map(\.name) + ["other"]
      streams = names.map {
        StreamDescription(
          name: "\(capture.device.name):\($0)", channels: [StreamDescription.Channel(name: "event")],
          device: capture.device.identity(roots))
      }
      let losses = DeviceLosses(
        coverage: .none, reason: "with events of IIO, which the kernel does not count,",
        remedy: "record the device's scans instead", countsAll: false)
      self.losses = losses
      thread = try DeviceThread("IIOEvents", from: stream) { base, clock in
        IIOEventReader(setup.connection(capture, losses, clock), base, clock)
      }
    }
  }
}

extension Publishers.IIOEvents: ReadingSource {}
