public import Sluice
public import SluiceReadings

extension Publishers {
  /// Publishes the scans of the buffer of an IIO device. Each scan is a reading with all its channels.
  ///
  /// ```swift
  /// let scans = try Publishers.IIOScans(device: "bmi160", channels: ["accel_x", "accel_y"])
  /// let cancellable = scans.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.values[0]) })
  /// ```
  ///
  /// The initializer sets up and enables the buffer. All changes are undone at the end of the subscription. There may
  /// be one subscriber. Scans come on a thread of the publisher, which reads only while there is demand. Without
  /// demand, the kernel keeps ``IIOOptions/length`` scans. ``losses`` counts the scans that are missing by the times,
  /// and the next scan has `Reading.Flags.gapBefore`. Scans without times get times that are interpolated between two
  /// reads, by the rate if it is known. If the device is removed, it fails with `SluiceError.Code.disconnected`,
  /// unless `whenRemoved` is set.
  public struct IIOScans: DevicePublisher {
    /// The stream and its channels.
    public let description: StreamDescription
    /// The peak fill of the kernel's FIFO.
    public let fifo: FIFOLevel
    public let losses: DeviceLosses
    public var thread: DeviceThread
    /// State of killed recordings that was restored, except for each ``IIOState/failure``.
    public let restored: [IIOState]
    /// The longest time for which scans gather in the kernel.
    private let gathering: Duration
    public var streams: [StreamDescription] { [description] }

    /// - Parameters:
    ///   - device: The id, number, name or label of the device.
    ///   - channels: The names of the channels; empty for all.
    ///   - whenRemoved: If set, the publisher waits for a device that was removed, and sets it up again. It is called
    ///     on the publisher's thread: with the removal (`SluiceError.Code.disconnected`), with each different error
    ///     that prevents the setup, and with nil after the return.
    public init(
      device: String, channels: [String] = [], options: IIOOptions = IIOOptions(), stream: StreamID = StreamID(0),
      roots: DeviceRoots = DeviceRoots(), whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      let setup = IIOSetup(device: device, roots: roots, whenRemoved: whenRemoved) { found throws(SluiceError) in
        try IIOCapture(found, channels: channels, options: options, roots: roots)
      }
      let capture = try setup.session()
      restored = capture.restored
      description = Self.describe(capture.device, capture.channels, roots, inSI: options.inSI)
      let fifo = capture.fifo
      self.fifo = fifo
      gathering = options.latency.map { .nanoseconds($0) } ?? .milliseconds(options.watermark == nil ? 50 : 1_000)
      let losses =
        capture.layout.timestamp == nil
        ? DeviceLosses(
          coverage: .none, reason: "with scans that carry no time",
          remedy: "record a device whose driver has the channel in_timestamp", countsAll: false)
        : DeviceLosses(coverage: .some)
      self.losses = losses
      thread = try DeviceThread("IIOScans", from: stream) { stream, clock in
        IIOReader(setup.connection(capture, losses, clock), stream, fifo, clock)
      }
    }

    /// The same scans with another stream number.
    /// - Parameter clock: A clock for several publishers, so that they have the same offset.
    public func stream(_ stream: StreamID, clock: EpochClock? = nil) -> IIOScans {
      streams(from: stream, clock: clock)
    }

    /// Describes the channels. A channel with repetition has one value per element, numbered from 0.
    static func describe(
      _ device: IIODevice, _ channels: [IIOChannel], _ roots: DeviceRoots, inSI: Bool
    ) -> StreamDescription {
      var described: [StreamDescription.Channel] = []
      for channel in channels {
        let repeats = ScanFormat(channel.format)?.repeats ?? 1
        for index in 0..<repeats {
          let one = StreamDescription.Channel(
            name: repeats == 1 ? channel.name : "\(channel.name)_\(index)", unit: channel.unit,
            format: channel.format, scale: channel.scale, offset: channel.offset)
          described.append(inSI ? one.inSI : one)
        }
      }
      return StreamDescription(name: device.name, channels: described, device: device.identity(roots))
    }
  }
}

extension Publishers.IIOScans: ReadingSource {
  public var kernelFIFO: FIFOLevel? { fifo }
  /// With a watermark, scans may wait in the kernel for up to a second.
  public var lateness: Duration { .milliseconds(200) + gathering }
}
