public import Dispatch
public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the scans of an IIO device's buffer: each a reading with all its channels.
  ///
  /// ```swift
  /// let scans = try Publishers.IIOScans(device: "bmi160", channels: ["accel_x", "accel_y"])
  /// let cancellable = scans.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.values[0]) })
  /// ```
  ///
  /// The buffer is set up and enabled when this is made; everything changed is put back when the subscription ends. It
  /// takes one subscriber. Scans come on a thread of the publisher's own, which reads only while there is demand:
  /// without it the kernel keeps ``IIOOptions/length`` scans. What is missing between two scans by their times is counted
  /// in ``losses``, and the later one carries `Reading.Flags.gapBefore`. Scans that carry no time get one that is
  /// interpolated between two reads, by the rate where it is known. Fails with
  /// `SluiceError.Code.disconnected` when the device is removed, unless it is to be waited for.
  public struct IIOScans: Publisher {
    /// It publishes readings.
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// The stream and its channels.
    public let description: StreamDescription
    /// How full the kernel's FIFO was.
    public let fifo: FIFOLevel
    /// What is known to be missing.
    public let losses: DeviceLosses
    /// Left when the device is as it was before.
    public let teardown: DispatchGroup
    /// What earlier recordings, which were killed, had left: it has been put back, but for ``IIOState/failure``.
    public var restored: [IIOState] { capture.restored }
    private let capture: IIOCapture
    private let setup: IIOSetup<IIOCapture>
    private let wake: WakePipe
    private let stream: StreamID
    private let clock: EpochClock

    /// - Parameters:
    ///   - device: By id, number, name or label.
    ///   - channels: By name; none means all.
    ///   - whenRemoved: Waits for a device that was removed, and sets it up again when it is back, instead of failing:
    ///     is called on the publisher's thread, with the removal (`SluiceError.Code.disconnected`), then with any other
    ///     error that keeps the device from being set up again, each time it is another, and with nil when it goes on.
    public init(
      device: String, channels: [String] = [], options: IIOOptions = IIOOptions(), stream: StreamID = StreamID(0),
      roots: DeviceRoots = DeviceRoots(), whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      setup = IIOSetup(device: device, roots: roots, whenRemoved: whenRemoved) { found throws(SluiceError) in
        try IIOCapture(found, channels: channels, options: options, roots: roots)
      }
      let capture = try setup.session()
      self.capture = capture
      self.stream = stream
      clock = EpochClock()
      description = Self.describe(capture, roots, inSI: options.inSI)
      fifo = capture.fifo
      losses =
        capture.layout.timestamp == nil
        ? DeviceLosses(
          coverage: .none, reason: "with scans that carry no time",
          remedy: "record a device whose driver has the channel in_timestamp", countsAll: false)
        : DeviceLosses(coverage: .some)
      teardown = DispatchGroup()
      wake = try WakePipe()
    }

    /// The same scans, with another number of their stream.
    /// - Parameter clock: One for several publishers gives them the same offset.
    public func stream(_ stream: StreamID, clock: EpochClock? = nil) -> IIOScans { IIOScans(self, stream, clock) }

    private init(_ other: IIOScans, _ stream: StreamID, _ clock: EpochClock?) {
      (description, fifo, losses, teardown) = (other.description, other.fifo, other.losses, other.teardown)
      (capture, setup, wake) = (other.capture, other.setup, other.wake)
      self.stream = stream
      self.clock = clock ?? other.clock
    }

    /// Ends the stream where it begins: what was read is delivered, then it finishes.
    public func finish() { wake.finish() }

    /// A channel that repeats has one value an element, numbered from 0.
    private static func describe(_ capture: IIOCapture, _ roots: DeviceRoots, inSI: Bool) -> StreamDescription {
      var channels: [StreamDescription.Channel] = []
      for (channel, element) in Swift.zip(capture.channels, capture.layout.channels) {
        for index in 0..<element.format.repeats {
          let described = StreamDescription.Channel(
            name: element.format.repeats == 1 ? channel.name : "\(channel.name)_\(index)", unit: channel.unit,
            format: channel.format, scale: channel.scale, offset: channel.offset)
          channels.append(inSI ? described.inSI : described)
        }
      }
      return StreamDescription(
        name: capture.device.name, channels: channels, device: capture.device.identity(roots))
    }

    private var reader: IIOReader {
      IIOReader(IIOConnection(capture, setup, losses), stream, fifo, losses, teardown, clock)
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      DescriptorSource.attach("IIOScans", reader, wake: wake, to: subscriber)
    }
  }
}
