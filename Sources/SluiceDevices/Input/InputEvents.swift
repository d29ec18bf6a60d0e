public import Dispatch
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
  public struct InputEvents: Publisher {
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// The streams: one per key, axis or switch.
    public let streams: [StreamDescription]
    /// The losses that are known.
    public let losses: DeviceLosses
    /// Left when the device is closed.
    public let teardown = DispatchGroup()
    private let session: InputSession
    private let setup: InputSetup
    private let wake: WakePipe
    private var base: StreamID
    private var clock = EpochClock()

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
      self.setup = setup
      let session = try setup.session()
      self.session = session
      base = stream
      streams = session.codes.map { session.stream($0, setup.roots) }
      losses = DeviceLosses(coverage: .all, countsAll: false)
      wake = try WakePipe()
    }

    /// The same events with other stream numbers.
    /// - Parameter clock: A clock for several publishers, so that they have the same offset.
    public func streams(from stream: StreamID, clock: EpochClock? = nil) -> InputEvents {
      var other = self
      (other.base, other.clock) = (stream, clock ?? self.clock)
      return other
    }

    /// Ends the stream at the source. Events that the kernel has are delivered, then the stream finishes.
    public func finish() { wake.finish() }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      let reader = InputEventReader(session, setup, losses, base, clock)
      DescriptorSource.attach("InputEvents", reader, wake: wake, teardown: teardown, to: subscriber)
    }
  }
}

@_spi(Preview) extension Publishers.InputEvents: ReadingSource {
  public func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    streams(from: first, clock: clock).eraseToAnyPublisher()
  }
  public static var finishes: Bool { true }
  public func waitUntilClosed() { teardown.wait() }
  public var lossReport: LossReport { losses.report }
  public var isAway: Bool { losses.isAway }
  public var isWhole: Bool { true }
}
