import SluiceCAN
import SluiceReadings
import SluiceSystem

/// An interface of a CAN bus, and how it is opened again after it was down.
struct CANConnection {
  let interface: String
  let streams: CANStreams
  let losses: DeviceLosses
  let drops: SocketDrops
  /// Nil if the end of the interface is an error.
  let reconnection: DeviceReconnection<CANSocket>?

  var title: String { "the CAN interface \(interface)" }
}

/// Makes readings from the frames of an interface.
final class CANReader: DescriptorReader {
  private let connection: CANConnection
  private let base: StreamID
  private let clock: EpochClock
  private let messages: SocketMessages
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: CANFrame.sizeFD * most, alignment: 8)
  private var socket: CANSocket?
  private var reconnection: DeviceReconnection<CANSocket>?
  private var removal: SluiceError?  // set until the frames that were received before it are read
  private var pause: EdgeGathering
  private var gaps: GapFlags

  /// - Parameter messages: Tests replace it for errors of an interface, and to set the clock.
  init(
    _ connection: CANConnection, _ socket: CANSocket, _ base: StreamID, _ clock: EpochClock,
    messages: SocketMessages? = nil
  ) {
    (self.connection, self.socket, self.base, self.clock) = (connection, socket, base, clock)
    self.messages = messages ?? SocketMessages(Self.most, clock, connection.drops)
    reconnection = connection.reconnection
    pause = EdgeGathering(capacity: socket.room)
    gaps = GapFlags(streams: connection.streams.descriptions.count)
  }

  deinit { memory.deallocate() }

  /// The most frames of one system call.
  static var most: Int { 256 }

  var descriptors: [Int32] { socket.map { [$0.descriptor] } ?? [] }
  /// An interface that goes down wakes poll(2), but only once: the frames before it are read without a wait. While it is
  /// down, this is the time between tries.
  var timeout: Int32 { socket == nil ? reconnection?.period ?? 0 : removal == nil ? -1 : 0 }
  var gathering: Int32 { socket == nil || removal != nil ? 0 : Int32(clamping: pause.milliseconds) }
  var capacity: Int { socket?.capacity ?? 1 }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard let socket else { return try reopen() }
    var newest: UInt64 = 0
    var isEmpty = false
    while !isEmpty, batch.count < limit {
      let wanted = min(limit - batch.count, Self.most)
      let count = messages.receive(socket.descriptor, into: memory, size: CANFrame.sizeFD, limit: wanted)
      guard count >= 0 else {
        guard errno == ENETDOWN || errno == ENODEV else {
          throw SluiceError("read", connection.title, errno: errno, remedy: "look at its state with: ip -d link")
        }
        // The error comes once, and before the frames that were received before it.
        // A second error ends the reads, so that no socket can keep the thread.
        isEmpty = removal != nil
        removal = CANSocket.down("read", connection.title, connection.interface, errno)
        continue
      }
      for index in 0..<count { append(index, &newest, to: &batch) }
      isEmpty = count < wanted
    }
    if isEmpty, let removal { return try leave(removal) }
    pause.read(batch.count, newest: newest, isAll: batch.count < limit)
  }

  private func append(_ index: Int, _ newest: inout UInt64, to batch: inout [Reading]) {
    let message = messages.takeMessage(index)
    let time = message.time ?? clock.now
    newest = max(newest, UInt64(clamping: time))
    if message.isAfterLoss {
      gaps.mark()
      connection.losses.add(.dropped, message.dropped, at: time)
    }
    guard let frame = CANFrame(kernel: message.bytes) else {
      return connection.losses.add(.failed, at: time)
    }
    if frame.isOverrun {
      gaps.mark()
      connection.losses.add(.overrun, at: time)
    }
    let (place, values) = connection.streams.decode(frame)
    var flags: Reading.Flags = message.isUncertain ? .uncertainTime : []
    if gaps.take(place) { flags.insert(.gapBefore) }
    let stream = StreamID(base.index &+ UInt16(truncatingIfNeeded: place))
    batch.append(Reading(time: time, stream: stream, values: values, flags: flags))
  }

  // MARK: An interface that is down

  private func leave(_ error: SluiceError) throws(SluiceError) {
    guard reconnection != nil else { throw error }
    close()
    removal = nil
    gaps.mark()
    reconnection?.begin(error, connection.losses, at: clock.now)
  }

  private func reopen() throws(SluiceError) {
    guard let again = try reconnection?.reopened() else { return }
    messages.begin(again.descriptor)
    socket = again
    reconnection?.end(connection.losses)
  }

  func close() {
    socket = nil
    connection.losses.add(.dropped, connection.drops.close(), at: clock.now)
  }
}
