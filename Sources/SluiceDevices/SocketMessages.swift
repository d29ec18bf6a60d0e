import SluiceReadings
import SluiceSystem

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
  /// Both clocks, for ``WallTimes``.
  private let now: () -> (monotonic: Int64, wall: Int64)

  /// Receives messages without waiting, as recvmmsg(2) does.
  typealias Call = (Int32, UnsafeMutablePointer<csocket_message>?, UInt32) -> Int32

  static let receiveNow: @Sendable (Int32, UnsafeMutablePointer<csocket_message>?, UInt32) -> Int32 = {
    csocket_receive($0, $1, $2)
  }

  /// - Parameters:
  ///   - most: The most messages of one system call.
  ///   - now: The monotonic clock and the wall clock. Tests replace it, because they cannot set the clock.
  ///   - call: The system call. Tests replace it for errors of a socket.
  init(
    _ most: Int, _ clock: EpochClock, now: @escaping () -> (monotonic: Int64, wall: Int64) = { WallTimes.now },
    call: @escaping Call = receiveNow
  ) {
    (self.now, self.call) = (now, call)
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

  /// Receives what is there, without waiting.
  /// - Parameters:
  ///   - bytes: Memory for the messages. They are valid as long as it is.
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

  /// A message of the last ``receive(_:into:size:limit:)``.
  func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    let vector = vectors[index]
    return UnsafeRawBufferPointer(start: vector.iov_base, count: min(vector.iov_len, Int(messages[index].length)))
  }

  /// When it was received, by the clock of the recording, and whether the time may be wrong by a jump of the wall clock; nil
  /// if the kernel did not say.
  func time(_ receipt: SocketReceipt) -> (time: Int64, isUncertain: Bool)? { receipt.time.map { times.time($0) } }

  /// What the kernel says of it.
  func receipt(_ index: Int) -> SocketReceipt {
    let start = index * Self.controlSize
    let bytes = control[start..<start + min(Self.controlSize, Int(messages[index].header.msg_controllen))]
    return SocketReceipt(UnsafeRawBufferPointer(rebasing: bytes))
  }
}
