public import Sluice
import SluiceCAN
public import SluiceReadings

extension Publishers {
  /// Publishes the frames of a CAN interface, by SocketCAN. Each frame is a reading.
  ///
  /// ```swift
  /// var options = CANOptions()
  /// options.dbc = "car.dbc"
  /// let frames = try Publishers.CANFrames(interface: "can0", options: options)
  /// let cancellable = frames.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.stream, $0.values) })
  /// ```
  ///
  /// Each message of the DBC file that has signals is a stream, `can0:NAME`, with a channel for each signal. A signal that
  /// a frame does not have is `ExactDecimal.missing`. A message of more than 64 signals has no stream. All other frames are readings of the stream `can0`: identifier,
  /// length and bytes; those of CAN FD of `can0:fd`, and error frames of `can0:error`.
  ///
  /// The initializer opens the socket, so that no frame is missed before a subscriber comes. There may be one
  /// subscriber. Frames come in the order of the socket, on a thread of the publisher, which reads only while there is
  /// demand. Without demand, the buffer of the socket keeps them: about 10,000 with CAP_NET_ADMIN. ``losses`` counts
  /// exactly what it drops (``DeviceLosses/Sign/dropped``). The next reading of each stream then has
  /// `Reading.Flags.gapBefore`.
  ///
  /// A frame after a silence comes at once. In a steady stream, frames gather for up to 10 ms.
  ///
  /// If the interface goes down, the frames that were received before are published. Then the publisher fails with
  /// `SluiceError.Code.disconnected`. With `whenRemoved`, it waits until the interface is up again.
  public struct CANFrames: DevicePublisher {
    /// One per message, and those of other frames, of CAN FD and of errors.
    public let streams: [StreamDescription]
    /// Asking for `lossReport` adds what the kernel has dropped since the last frame.
    public let losses = DeviceLosses(coverage: .all)
    public var thread: DeviceThread
    private let drops = SocketDrops()
    /// Whether all values are whole numbers before offset and scale.
    public let isWhole: Bool
    /// Which messages of the DBC file have no stream because they have too many signals; nil if there is none.
    package let leftOut: String?

    /// - Parameters:
    ///   - interface: The name of the interface, such as `can0`.
    ///   - stream: The number of the first stream.
    ///   - whenRemoved: If set, the publisher waits for an interface that went down. It is called with the error
    ///     (`SluiceError.Code.disconnected`), then with each different error that prevents the return, and with nil
    ///     after the return.
    public init(
      interface: String, options: CANOptions = CANOptions(), stream: StreamID = StreamID(0),
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
    ) throws(SluiceError) {
      let messages = try options.messages()
      let options = options.receiving(messages)
      try self.init(interface: interface, messages, options, stream: stream, whenRemoved: whenRemoved) {
        () throws(SluiceError) -> CANSocket in try CANSocket(interface, options)
      }
    }

    /// - Parameter open: Opens the socket, at once and again after the interface was down.
    init(
      interface: String, _ messages: [CANMessage], _ options: CANOptions, stream: StreamID = StreamID(0),
      whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil,
      open: @escaping @Sendable () throws(SluiceError) -> CANSocket
    ) throws(SluiceError) {
      let device = StreamDescription.Device(label: interface)
      let decoding = CANStreams(interface: interface, messages: messages, device: device)
      streams = decoding.descriptions
      leftOut = options.dbc.flatMap { CANStreams.leftOut(messages, of: $0) }
      isWhole = decoding.isWhole
      let socket = try open()
      drops.begin(socket.descriptor)
      let connection = CANConnection(
        interface: interface, streams: decoding, losses: losses, drops: drops,
        reconnection: whenRemoved.map { DeviceReconnection(report: $0, open: open) })
      thread = try DeviceThread("CANFrames", from: stream) { CANReader(connection, socket, $0, $1) }
    }
  }
}

extension Publishers.CANFrames: ReadingSource {
  public var lossReport: LossReport {
    losses.add(.dropped, drops.look(), at: thread.clock.now)
    return losses.report
  }
}
