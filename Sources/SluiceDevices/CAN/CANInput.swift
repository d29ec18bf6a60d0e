import SluiceCAN
import SluiceReadings
import SluiceSystem

/// Receives frames, many with one system call.
final class CANInput {
  static let most = 256
  private static let (size, controlSize) = (CANFrame.sizeFD, 192)
  private let frames = UnsafeMutableRawBufferPointer.allocate(byteCount: size * most, alignment: 8)
  private let control = UnsafeMutableRawBufferPointer.allocate(byteCount: controlSize * most, alignment: 8)
  private let vectors = UnsafeMutableBufferPointer<iovec>.allocate(capacity: most)
  private let messages = UnsafeMutableBufferPointer<csocket_message>.allocate(capacity: most)

  private let call: Call

  /// Receives messages without waiting, as recvmmsg(2) does.
  typealias Call = (Int32, UnsafeMutablePointer<csocket_message>?, UInt32) -> Int32

  static let receiveNow: @Sendable (Int32, UnsafeMutablePointer<csocket_message>?, UInt32) -> Int32 = {
    csocket_receive($0, $1, $2)
  }

  /// - Parameter call: The system call. Tests replace it for errors of an interface.
  init(call: @escaping Call = receiveNow) {
    self.call = call
    for index in 0..<Self.most {
      vectors[index] = iovec(iov_base: frames.baseAddress.map { $0 + index * Self.size }, iov_len: Self.size)
    }
    messages.initialize(repeating: csocket_message())
  }

  deinit {
    frames.deallocate()
    control.deallocate()
    vectors.deallocate()
    messages.deallocate()
  }

  /// Receives what is there, without waiting.
  /// - Returns: The number of frames; -1 with `errno`.
  func receive(_ descriptor: Int32, limit: Int) -> Int {
    let count = min(limit, Self.most)
    for index in 0..<count {
      // The kernel changes the lengths.
      messages[index].header.msg_iov = vectors.baseAddress.map { $0 + index }
      messages[index].header.msg_iovlen = 1
      messages[index].header.msg_control = control.baseAddress.map { $0 + index * Self.controlSize }
      messages[index].header.msg_controllen = numericCast(Self.controlSize)
    }
    return Int(call(descriptor, messages.baseAddress, UInt32(count)))
  }

  /// A frame of the last ``receive(_:limit:)``; nil if its size is not that of a frame.
  func frame(_ index: Int) -> CANFrame? {
    let start = index * Self.size
    return CANFrame(
      kernel: UnsafeRawBufferPointer(rebasing: frames[start..<start + min(Self.size, Int(messages[index].length))]))
  }

  /// What the kernel says of a frame of the last ``receive(_:limit:)``.
  func receipt(_ index: Int) -> SocketReceipt {
    let start = index * Self.controlSize
    let bytes = control[start..<start + min(Self.controlSize, Int(messages[index].header.msg_controllen))]
    return SocketReceipt(UnsafeRawBufferPointer(rebasing: bytes))
  }
}
