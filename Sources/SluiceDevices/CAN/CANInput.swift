import SluiceCAN
import SluiceReadings
import SluiceSystem

/// Receives frames, many with one system call.
final class CANInput {
  /// What came with a frame.
  struct Stamp {
    /// CLOCK_REALTIME in nanoseconds; nil if the kernel did not say.
    var time: Int64?
    /// The clock of the controller; nil if it has none.
    var hardware: Int64?
    /// The frames dropped before it, modulo 2^32; nil if there was none so far.
    var drops: UInt32?
  }

  static let most = 256
  private static let (size, controlSize) = (CANFrame.sizeFD, 192)
  private let frames = UnsafeMutableRawBufferPointer.allocate(byteCount: size * most, alignment: 8)
  private let control = UnsafeMutableRawBufferPointer.allocate(byteCount: controlSize * most, alignment: 8)
  private let vectors = UnsafeMutableBufferPointer<iovec>.allocate(capacity: most)
  private let messages = UnsafeMutableBufferPointer<csocket_message>.allocate(capacity: most)

  init() {
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
    return Int(csocket_receive(descriptor, messages.baseAddress, UInt32(count)))
  }

  /// A frame of the last ``receive(_:limit:)``; nil if it is none.
  func frame(_ index: Int) -> CANFrame? {
    let start = index * Self.size
    return CANFrame(
      kernel: UnsafeRawBufferPointer(rebasing: frames[start..<start + min(Self.size, Int(messages[index].length))]))
  }

  /// Reads the control messages: `struct cmsghdr` with length, level and type, then data, each at a multiple of a word.
  func stamp(_ index: Int) -> Stamp {
    let start = index * Self.controlSize
    let bytes = control[start..<start + min(Self.controlSize, Int(messages[index].header.msg_controllen))]
    return Self.stamp(UnsafeRawBufferPointer(rebasing: bytes))
  }

  static func stamp(_ messages: UnsafeRawBufferPointer) -> Stamp {
    let (word, header) = (MemoryLayout<Int>.size, MemoryLayout<cmsghdr>.size)
    var rest = messages
    var stamp = Stamp()
    while rest.count >= header {
      let message = rest.loadUnaligned(as: cmsghdr.self)
      let length = Int(message.cmsg_len)
      guard (header...rest.count).contains(length) else { break }
      let data = UnsafeRawBufferPointer(rebasing: rest[header..<length])
      switch message.cmsg_type {
      case _ where message.cmsg_level != SOL_SOCKET: break
      case CANSocket.times where data.count >= 16: stamp.time = Self.time(data, 0)
      // Software, a time that no driver gives, and hardware.
      case CANSocket.hardwareTimes where data.count >= 48:
        let time = Self.time(data, 32)
        if time != 0 { stamp.hardware = time }
      case CANSocket.drops where data.count >= 4: stamp.drops = data.loadUnaligned(as: UInt32.self)
      default: break
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[min(rest.count, (length + word - 1) & -word)...])
    }
    return stamp
  }

  private static func time(_ data: UnsafeRawBufferPointer, _ offset: Int) -> Int64 {
    let seconds = data.loadUnaligned(fromByteOffset: offset, as: Int64.self)
    return seconds &* 1_000_000_000 &+ data.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self)
  }
}
