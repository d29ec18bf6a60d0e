import SluiceCAN
import SluiceReadings
import SluiceSystem

/// An interface of a CAN bus, and how it is opened again after it was down.
struct CANConnection {
  let interface: String
  let streams: CANStreams
  let drops: CANDrops
  /// Nil if the end of the interface is an error.
  let reconnection: DeviceReconnection<CANSocket>?

  var title: String { "the CAN interface \(interface)" }
  var losses: DeviceLosses { drops.losses }
}

/// Makes readings from the frames of an interface.
final class CANReader: DescriptorReader {
  private let connection: CANConnection
  private let base: StreamID
  private let clock: EpochClock
  private let input: CANInput
  private var socket: CANSocket?
  private var reconnection: DeviceReconnection<CANSocket>?
  private var removal: SluiceError?  // set until the frames that were received before it are read
  /// Both clocks, for ``WallTimes``.
  private let now: () -> (monotonic: Int64, wall: Int64)
  /// As of the last time when the socket was empty: what is received later came after it.
  private var times: WallTimes
  private var hardware = HardwareTimes()
  private var pause: EdgeGathering
  /// The drops before the last frame, the number of gaps so far, and that number at the last reading of each stream.
  private var (dropped, gaps, seen): (UInt32, Int, [Int])

  /// - Parameter now: The monotonic clock and the wall clock. Tests replace it, because they cannot set the clock.
  init(
    _ connection: CANConnection, _ socket: CANSocket, _ base: StreamID, _ clock: EpochClock,
    input: CANInput = CANInput(), now: @escaping () -> (monotonic: Int64, wall: Int64) = { WallTimes.now }
  ) {
    self.connection = connection
    reconnection = connection.reconnection
    self.socket = socket
    self.base = base
    self.clock = clock
    (self.input, self.now) = (input, now)
    times = WallTimes(clock, now: now())
    pause = EdgeGathering(capacity: socket.room)
    (dropped, gaps, seen) = (0, 0, connection.streams.descriptions.map { _ in 0 })
  }

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
      let wanted = min(limit - batch.count, CANInput.most)
      let count = input.receive(socket.descriptor, limit: wanted)
      guard count >= 0 else {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          times.look(now())
          isEmpty = true
          continue
        }
        guard errno == ENETDOWN || errno == ENODEV else {
          throw SluiceError("read", connection.title, errno: errno, remedy: "look at its state with: ip -d link")
        }
        // The error comes once, and before the frames that were received before it.
        // A second error ends the reads, so that no socket can keep the thread.
        isEmpty = removal != nil
        removal = CANSocket.down("read", connection.title, connection.interface, errno)
        continue
      }
      var times = times
      times.look(now())
      for index in 0..<count { append(index, times, &newest, to: &batch) }
      if count < wanted { (self.times, isEmpty) = (times, true) }
    }
    if isEmpty, let removal { return try leave(removal) }
    pause.read(batch.count, newest: newest, isAll: batch.count < limit)
  }

  private func append(_ index: Int, _ times: WallTimes, _ newest: inout UInt64, to batch: inout [Reading]) {
    let receipt = input.receipt(index)
    var (time, flags) = (clock.now, Reading.Flags())
    if let kernel = receipt.time {
      let found = times.time(kernel)
      if found.isUncertain { flags.insert(.uncertainTime) }
      time =
        receipt.hardware.map { hardware.time($0, kernel: found.time, isUncertain: found.isUncertain) } ?? found.time
    }
    newest = max(newest, UInt64(clamping: time))
    if let count = receipt.drops, count != dropped {
      (dropped, gaps) = (count, gaps + 1)
      connection.drops.add(count, at: time)
    }
    guard let frame = input.frame(index) else { return connection.losses.add(.failed, at: time) }
    if frame.isOverrun {
      gaps += 1
      connection.losses.add(.overrun, at: time)
    }
    let (place, values) = connection.streams.decode(frame)
    if seen[place] != gaps {
      flags.insert(.gapBefore)
      seen[place] = gaps
    }
    let stream = StreamID(base.index &+ UInt16(truncatingIfNeeded: place))
    batch.append(Reading(time: time, stream: stream, values: values, flags: flags))
  }

  func finish(limit: Int, into batch: inout [Reading]) {}

  // MARK: An interface that is down

  private func leave(_ error: SluiceError) throws(SluiceError) {
    guard reconnection != nil else { throw error }
    close()
    removal = nil
    gaps += 1
    connection.losses.add(.removed, at: clock.now)
    connection.losses.set(isAway: true)
    reconnection?.begin(error)
  }

  private func reopen() throws(SluiceError) {
    guard let again = try reconnection?.reopened() else { return }
    connection.drops.begin(again.descriptor)
    (socket, dropped) = (again, 0)
    connection.losses.set(isAway: false)
    reconnection?.report(nil)
  }

  func close() {
    socket = nil
    connection.drops.close(at: clock.now)
  }
}
