import Sluice
package import SluiceReadings
import SluiceSystem

/// Datagrams with lines: a whole number of lines each, the last one with or without a line feed.
///
/// Their times are those of the kernel's receipt (SO_TIMESTAMPNS), and what the socket's buffer had no room for is counted
/// exactly (SO_MEMINFO). SO_RXQ_OVFL says which datagram comes after such a loss.
package final class UDPWire: LineWire {
  private let address: String?
  private let port: String
  private var descriptor: Int32 = -1
  /// As of the last time when the socket was empty: what is received later came after it.
  private var times = WallTimes(EpochClock(offset: 0))
  /// What was dropped before the last datagram.
  private var lastDropped: UInt32 = 0
  private let control = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 8)
  /// Any thread may ask for the losses.
  private let dropped = Locked(Dropped())

  private struct Dropped {
    var descriptor: Int32 = -1
    var counter = DropCounter()
    var count = 0

    mutating func look() {
      if descriptor >= 0, let now = SocketReceipt.drops(of: descriptor) { count += counter.advance(to: now) }
    }
  }

  /// The kernel gives at most what `net.core.rmem_max` allows, but root gets all of this.
  static let buffer: Int32 = 4 << 20

  /// - Parameter address: The address to listen at; nil for all of this machine.
  package init(_ address: String?, port: String) { (self.address, self.port) = (address, port) }

  deinit { control.deallocate() }

  package var title: String { "port \(port) for datagrams" }
  package var hasDatagrams: Bool { true }
  package var waits: Bool { false }
  package var descriptors: [Int32] { descriptor < 0 ? [] : [descriptor] }

  package func open(isInterrupted: () -> Bool) throws(SluiceError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    // The socket of IPv6 takes datagrams of IPv4 too.
    hints.ai_family = address == nil ? AF_INET6 : AF_UNSPEC
    var found: UnsafeMutablePointer<addrinfo>?
    var code = getaddrinfo(address, port, &hints, &found)
    if address == nil, code != 0 || !bindFirst(found) {
      if found != nil { freeaddrinfo(found) }
      (found, hints.ai_family) = (nil, AF_INET)
      code = getaddrinfo(address, port, &hints, &found)
    }
    guard code == 0 else {
      throw SluiceError(
        .notFound, "listen at", title, because: String(cString: gai_strerror(code)),
        remedy: "give an address of this machine")
    }
    defer { freeaddrinfo(found) }
    guard descriptor >= 0 || bindFirst(found) else {
      throw SluiceError(
        "listen at", title, errno: errno,
        remedy: errno == EADDRINUSE
          ? "end the program that listens there (ss -ulpn), or give another port"
          : "give an address of this machine, and a port of 1024 or more")
    }
    setUp()
  }

  private func bindFirst(_ found: UnsafeMutablePointer<addrinfo>?) -> Bool {
    guard let address = found?.pointee else { return false }
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = socket(address.ai_family, type, address.ai_protocol)
    guard descriptor >= 0 else { return false }
    if bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
    let code = errno
    closeFile(descriptor)
    (descriptor, errno) = (-1, code)
    return false
  }

  private func setUp() {
    func set(_ name: Int32, _ value: Int32) -> Bool {
      var value = value
      return setsockopt(descriptor, SOL_SOCKET, name, &value, 4) == 0
    }
    if !set(SO_RCVBUFFORCE, Self.buffer) { _ = set(SO_RCVBUF, Self.buffer) }
    _ = set(SocketReceipt.times, 1)
    _ = set(SocketReceipt.drops, 1)
    lastDropped = 0
    dropped.withLock { [descriptor] in ($0.descriptor, $0.counter) = (descriptor, DropCounter()) }
  }

  package func read(
    _ ready: [Bool], into bytes: UnsafeMutableRawBufferPointer
  ) throws(SluiceError) -> LineRead {
    var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
    let (count, length) = withUnsafeMutablePointer(to: &vector) { vector in
      var message = msghdr()
      (message.msg_iov, message.msg_iovlen) = (vector, 1)
      (message.msg_control, message.msg_controllen) = (control.baseAddress, numericCast(control.count))
      let count = recvmsg(descriptor, &message, Int32(MSG_DONTWAIT))
      return (count, Int(message.msg_controllen))
    }
    guard count >= 0 else {
      if errno == EAGAIN {
        times.look()
        return .nothing
      }
      if errno == EINTR { return .nothing }
      throw SluiceError("receive", title, errno: errno)
    }
    var times = times
    times.look()
    let receipt = SocketReceipt(UnsafeRawBufferPointer(rebasing: control[..<min(length, control.count)]))
    let isAfterLoss = receipt.drops.map { $0 != lastDropped } ?? false
    lastDropped = receipt.drops ?? lastDropped
    guard let wall = receipt.time else { return .bytes(count, isAfterLoss: isAfterLoss) }
    let time = times.time(wall)
    return .bytes(count, received: time.time, isUncertain: time.isUncertain, isAfterLoss: isAfterLoss)
  }

  package var losses: [Loss] {
    let count = dropped.withLock { dropped in
      dropped.look()
      return dropped.count
    }
    return count == 0 ? [] : [Loss(reason: "datagrams dropped by the kernel's socket", count: count)]
  }

  /// What is lost on the way to this machine leaves no sign.
  package var coverage: LossReport { LossReport(coverage: .some) }

  package func close() {
    dropped.withLock { dropped in
      dropped.look()
      dropped.descriptor = -1
    }
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
  }
}

extension UDPWire {
  /// The datagrams that the kernel keeps at least, whoever records.
  package static var kernelQueue: KernelQueue { .socket(buffer: buffer) }
}
