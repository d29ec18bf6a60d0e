public import Dispatch
public import Sluice
public import SluiceReadings
import SluiceSystem

extension Publishers {
  /// Publishes the pulses per second of a PPS device, such as a GPS receiver. One stream has the assert edges (`pps0`).
  /// Another one has the clear edges (`pps0:clear`), if the device captures them.
  ///
  /// ```swift
  /// let pulses = try Publishers.PPSPulses(device: "0")
  /// let cancellable = pulses.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.time, $0.values) })
  /// ```
  ///
  /// `sequence` is the kernel's number of the edge. `offset` says how many nanoseconds the wall clock was past a full
  /// second; it is negative before one. If a pulse begins a second, `offset` is the error of the wall clock. The kernel
  /// gives the times by the wall clock. They are converted to the clock of the recording, and flagged as uncertain if
  /// the wall clock was set at about that time.
  ///
  /// There may be one subscriber. Pulses come on a thread of the publisher, which reads only while there is demand. The
  /// kernel keeps only the last edge; missing numbers are counted exactly (``DeviceLosses/Sign/skipped``). If the
  /// device is removed, the publisher fails with `SluiceError.Code.disconnected`.
  public struct PPSPulses: Publisher {
    public typealias Output = Reading
    /// An error of the device.
    public typealias Failure = SluiceError

    /// The streams: one per edge.
    public let streams: [StreamDescription]
    /// The losses that are known.
    public let losses = DeviceLosses(coverage: .all)
    /// Left when the device is closed.
    public let teardown = DispatchGroup()
    private let session: PPSSession
    private let wake: WakePipe
    private var base: StreamID
    private var clock = EpochClock()

    /// - Parameters:
    ///   - device: The number of the device, `pps0` or the path of its file.
    ///   - stream: The number of the first stream.
    public init(
      device: String, stream: StreamID = StreamID(0), roots: DeviceRoots = DeviceRoots()
    ) throws(SluiceError) {
      try self.init(device, stream, roots) { ioctl($0, $1, $2) }
    }

    init(
      _ device: String, _ stream: StreamID, _ roots: DeviceRoots, _ request: @escaping DeviceRequest
    ) throws(SluiceError) {
      let session = try PPSSession(try PPSDevice.find(device, roots: roots), roots, request)
      self.session = session
      base = stream
      streams = session.edges.map { edge in
        StreamDescription(
          name: session.device.id + (edge == .clear ? ":clear" : ""),
          channels: [
            StreamDescription.Channel(name: "sequence"), StreamDescription.Channel(name: "offset", unit: "ns"),
          ], device: session.device.identity(roots))
      }
      wake = try WakePipe()
    }

    /// The same pulses with other stream numbers.
    /// - Parameter clock: A clock for several publishers, so that they have the same offset.
    public func streams(from stream: StreamID, clock: EpochClock? = nil) -> PPSPulses {
      var other = self
      (other.base, other.clock) = (stream, clock ?? self.clock)
      return other
    }

    /// Ends the stream at the source.
    public func finish() { wake.finish() }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      let reader = PPSReader(session, losses, base, clock)
      DescriptorSource.attach("PPSPulses", reader, wake: wake, teardown: teardown, to: subscriber)
    }
  }
}

@_spi(Preview) extension Publishers.PPSPulses: ReadingSource {
  public func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    streams(from: first, clock: clock).eraseToAnyPublisher()
  }
  public static var finishes: Bool { true }
  public func waitUntilClosed() { teardown.wait() }
  public var lossReport: LossReport { losses.report }
  public var isWhole: Bool { true }
}
