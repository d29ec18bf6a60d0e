import SluiceReadings
import SluiceSystem

/// A message of a socket, and what the kernel says of it.
struct SocketMessage {
  /// Valid until the next messages are received into the same memory.
  var bytes: UnsafeRawBufferPointer
  /// When it was received, by the clock of the recording: the controller's time if it has one, else the kernel's. Nil if
  /// the kernel did not say.
  var time: Int64?
  /// Whether the time may be wrong by a jump of the wall clock.
  var isUncertain = false
  /// Whether messages were dropped since the one before it.
  var isAfterLoss = false
  /// How many more were dropped. It may be 0 after a loss, because another thread has counted them (``SocketDrops/look()``).
  var dropped = 0
}

/// Receives messages of a socket, many with one system call, and what the kernel says of each.
///
/// The kernel's times are those of the wall clock. They are brought to the clock of the recording (``WallTimes``).
final class SocketMessages {
  private static let controlSize = 192
  private let control: UnsafeMutableRawBufferPointer
  private let vectors: UnsafeMutableBufferPointer<iovec>
  private let messages: UnsafeMutableBufferPointer<csocket_message>
  private let call: Call
  /// As of the last time when the socket was empty: what is received later came after it.
  private var empty: WallTimes
  /// As of the last messages.
  private var times: WallTimes
  private var hardware = HardwareTimes()
  private let drops: SocketDrops
  /// The drops before the last message, modulo 2^32.
  private var lastDropped: UInt32 = 0
  /// Both clocks, for ``WallTimes``.
  private let now: () -> WallTimes.Look

  /// Receives messages without waiting, as recvmmsg(2) does.
  typealias Call = (Int32, UnsafeMutablePointer<csocket_message>?, UInt32) -> Int32

  static let receiveNow: @Sendable (Int32, UnsafeMutablePointer<csocket_message>?, UInt32) -> Int32 = {
    csocket_receive($0, $1, $2)
  }

  /// - Parameters:
  ///   - most: The most messages of one system call.
  ///   - drops: Counts those that the kernel has dropped.
  ///   - now: Both clocks. Tests replace it, because they cannot set the clock.
  ///   - call: The system call. Tests replace it for errors of a socket.
  init(
    _ most: Int, _ clock: EpochClock, _ drops: SocketDrops,
    now: @escaping () -> WallTimes.Look = { .now },
    call: @escaping Call = receiveNow
  ) {
    (self.drops, self.now, self.call) = (drops, now, call)
    empty = WallTimes(clock, now: now())
    times = empty
    control = .allocate(byteCount: Self.controlSize * most, alignment: 8)
    vectors = .allocate(capacity: most)
    vectors.initialize(repeating: iovec())
    messages = .allocate(capacity: most)
    messages.initialize(repeating: csocket_message())
  }

  deinit {
    control.deallocate()
    vectors.deallocate()
    messages.deallocate()
  }

  /// Begins to count the drops of a socket that was opened. The controller's clock may go on after the socket before it, so its
  /// offset stays.
  func begin(_ descriptor: Int32) {
    drops.begin(descriptor)
    lastDropped = 0
  }

  /// Receives what is there, without waiting.
  /// - Parameters:
  ///   - bytes: Memory for the messages.
  ///   - size: The bytes of it for one message.
  /// - Returns: The number of messages, which is less than the limit if the socket is empty now; -1 with `errno`.
  func receive(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, size: Int, limit: Int) -> Int {
    let count = min(limit, messages.count, bytes.count / max(1, size))
    for index in 0..<count {
      vectors[index] = iovec(iov_base: bytes.baseAddress.map { $0 + index * size }, iov_len: size)
      // The kernel changes the lengths.
      messages[index].header.msg_iov = vectors.baseAddress.map { $0 + index }
      messages[index].header.msg_iovlen = 1
      messages[index].header.msg_control = control.baseAddress.map { $0 + index * Self.controlSize }
      messages[index].header.msg_controllen = numericCast(Self.controlSize)
    }
    var received: Int32
    repeat { received = call(descriptor, messages.baseAddress, UInt32(count)) } while received < 0 && errno == EINTR
    guard received >= 0 || errno == EAGAIN else { return -1 }
    times = empty
    times.look(now())
    if Int(received) < count { empty = times }
    return max(0, Int(received))
  }

  /// Takes a message of the last ``receive(_:into:size:limit:)``. Take each once, in order: it moves the count of drops and
  /// the offset of the controller's clock.
  func takeMessage(_ index: Int) -> SocketMessage {
    let (vector, start) = (vectors[index], index * Self.controlSize)
    var message = SocketMessage(
      bytes: UnsafeRawBufferPointer(start: vector.iov_base, count: min(vector.iov_len, Int(messages[index].length))))
    let said = control[start..<start + min(Self.controlSize, Int(messages[index].header.msg_controllen))]
    let receipt = SocketReceipt(UnsafeRawBufferPointer(rebasing: said))
    if let wall = receipt.time {
      let (time, isUncertain) = times.time(wall)
      message.time = receipt.hardware.map { hardware.time($0, kernel: time, isUncertain: isUncertain) } ?? time
      message.isUncertain = isUncertain
    }
    if let count = receipt.drops, count != lastDropped {
      lastDropped = count
      (message.isAfterLoss, message.dropped) = (true, drops.advance(to: count))
    }
    return message
  }
}
