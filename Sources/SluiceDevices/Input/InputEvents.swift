public import Sluice
public import SluiceReadings
import SluiceSystem

extension Publishers {
  /// Publishes the events of an input device: buttons, switches, a rotary encoder, a touchscreen. Each key, axis or
  /// switch is a stream, such as `gpio-keys:KEY_ENTER`.
  ///
  /// ```swift
  /// let events = try Publishers.InputEvents(device: "rotary-encoder", codes: ["REL_DIAL"])
  /// let cancellable = events.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.time, $0.values[0]) })
  /// ```
  ///
  /// Values are those of the kernel: 1, 2 and 0 for a pressed, repeated and released key, the steps of a relative axis,
  /// the position on an absolute axis. The channel has a unit if the axis has a resolution. A value of a touchscreen
  /// that tells contacts apart has a second channel, `slot`. Times are those of the kernel, by its monotonic clock.
  ///
  /// There may be one subscriber. Events come at once, on a thread of the publisher, which reads only while there is
  /// demand. If the kernel's queue was full (SYN_DROPPED), nobody knows how many events are missing: the loss counts once
  /// (``DeviceLosses/Sign/full``), the next reading of each stream is flagged, and each state that has changed
  /// meanwhile becomes a reading. If the device is removed, it fails with `SluiceError.Code.disconnected`, unless
  /// `whenRemoved` is set. Other programs get the events too.
  public struct InputEvents: DevicePublisher {
    /// One per key, axis or switch.
    public let streams: [StreamDescription]
    public let losses = DeviceLosses(coverage: .all, countsAll: false)
    public var thread: DeviceThread

    /// - Parameters:
    ///   - device: The name of the device, its event (`event3`) or the path of its file.
    ///   - codes: The names of keys, axes and switches (`KEY_ENTER`, `REL_X`); empty for all that the device has.
    ///   - hasInitialState: Whether the first reading of each key, absolute axis and switch is its state at the start.
    ///   - stream: The number of the first stream.
    ///   - whenRemoved: If set, the publisher waits for a removed device. It is called with the removal, with each
    ///     different error that prevents the return, and with nil after the return.
    public init(
      device: String, codes: [String] = [], hasInitialState: Bool = false, stream: StreamID = StreamID(0),
      roots: DeviceRoots = DeviceRoots(), whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      try self.init(
        InputSetup(
          device: device, codes: codes, hasInitialState: hasInitialState, roots: roots,
          request: { ioctl($0, $1, $2) }, whenRemoved: whenRemoved), stream: stream)
    }

    init(_ setup: InputSetup, stream: StreamID = StreamID(0)) throws(SluiceError) {
      let session = try setup.session()
      streams = session.codes.map { session.stream($0, setup.roots) }
      thread = try DeviceThread("InputEvents", from: stream) { [losses] in
        InputEventReader(session, setup, losses, $0, $1)
      }
    }
  }
}

extension Publishers.InputEvents: ReadingSource {}
