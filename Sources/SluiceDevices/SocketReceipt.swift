import SluiceSystem

/// What the kernel says of a message that a socket has received: when it came, and what was dropped before it.
///
/// Macros that Swift cannot import are numbers here, which are the same on all machines but Alpha, MIPS, PA-RISC and SPARC.
struct SocketReceipt {
  /// CLOCK_REALTIME in nanoseconds; nil if the kernel did not say.
  var time: Int64?
  /// The clock of the controller; nil if it has none.
  var hardware: Int64?
  /// The messages dropped before it, modulo 2^32; nil if there was none so far.
  var drops: UInt32?

  /// SO_TIMESTAMPNS_NEW and SO_TIMESTAMPING_NEW, with times of 64 bits (Linux 5.1), and SO_RXQ_OVFL. The options are also
  /// the types of the control messages.
  static let (times, hardwareTimes, drops): (Int32, Int32, Int32) = (64, 65, 40)

  /// Reads control messages: `struct cmsghdr` with length, level and type, then data, each at a multiple of a word.
  init(_ messages: UnsafeRawBufferPointer) {
    let (word, header) = (MemoryLayout<Int>.size, MemoryLayout<cmsghdr>.size)
    var rest = messages
    while rest.count >= header {
      let message = rest.loadUnaligned(as: cmsghdr.self)
      let length = Int(message.cmsg_len)
      guard (header...rest.count).contains(length) else { break }
      let data = UnsafeRawBufferPointer(rebasing: rest[header..<length])
      switch message.cmsg_type {
      case _ where message.cmsg_level != SOL_SOCKET: break
      case Self.times where data.count >= 16: time = Self.time(data, 0)
      // Software, a time that no driver gives, and hardware.
      case Self.hardwareTimes where data.count >= 48:
        let time = Self.time(data, 32)
        if time != 0 { hardware = time }
      case Self.drops where data.count >= 4: drops = data.loadUnaligned(as: UInt32.self)
      default: break
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[min(rest.count, (length + word - 1) & -word)...])
    }
  }

  private static func time(_ data: UnsafeRawBufferPointer, _ offset: Int) -> Int64 {
    let seconds = data.loadUnaligned(fromByteOffset: offset, as: Int64.self)
    return seconds &* 1_000_000_000 &+ data.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self)
  }

  /// The messages that the kernel has dropped, modulo 2^32, because the buffer was full: SK_MEMINFO_DROPS of SO_MEMINFO (a
  /// later message is not needed for it, as for SO_RXQ_OVFL). Nil if the kernel does not say (before Linux 4.12).
  static func drops(of descriptor: Int32) -> UInt32? {
    var (words, length) = ([UInt32](repeating: 0, count: 9), socklen_t(36))
    return getsockopt(descriptor, SOL_SOCKET, 55, &words, &length) == 0 && length == 36 ? words[8] : nil
  }
}

extension SocketReceipt {
  /// Has the kernel say the time and the drops with each message, and sets the size of the buffer. The kernel doubles it.
  /// Without CAP_NET_ADMIN it gives at most what `net.core.rmem_max` allows.
  static func request(of descriptor: Int32, buffer: Int32) {
    if !setSocketOption(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, buffer) {
      setSocketOption(descriptor, SOL_SOCKET, SO_RCVBUF, buffer)
    }
    setSocketOption(descriptor, SOL_SOCKET, times, Int32(1))
    setSocketOption(descriptor, SOL_SOCKET, drops, Int32(1))
  }
}
