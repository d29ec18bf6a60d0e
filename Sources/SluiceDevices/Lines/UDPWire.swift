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
  private let drops = SocketDrops()
  private let messages: SocketMessages

  /// The kernel gives at most what `net.core.rmem_max` allows, but root gets all of this.
  static let buffer: Int32 = 4 << 20

  /// - Parameter address: The address to listen at; nil for all of this machine.
  package init(_ address: String?, port: String) {
    (self.address, self.port) = (address, port)
    messages = SocketMessages(1, EpochClock(offset: 0), drops)
  }

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
    SocketReceipt.request(of: descriptor, buffer: Self.buffer)
    messages.begin(descriptor)
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

  package func read(
    _ ready: [Bool], into bytes: UnsafeMutableRawBufferPointer
  ) throws(SluiceError) -> LineRead {
    switch messages.receive(descriptor, into: bytes, size: bytes.count, limit: 1) {
    case 1: break
    case 0: return .nothing
    default: throw SluiceError("receive", title, errno: errno)
    }
    let message = messages.takeMessage(0)
    return .bytes(
      message.bytes.count, received: message.time, isUncertain: message.isUncertain, isAfterLoss: message.isAfterLoss)
  }

  package var losses: [Loss] {
    drops.look()
    let count = drops.all
    return count == 0 ? [] : [Loss(reason: "datagrams dropped by the kernel's socket", count: count)]
  }

  /// What is lost on the way to this machine leaves no sign.
  package var coverage: LossReport { LossReport(coverage: .some) }

  package func close() {
    drops.close()
    descriptor = -1
  }
}

extension UDPWire {
  /// The datagrams that the kernel keeps at least, whoever records.
  package static var kernelQueue: KernelQueue { .socket(buffer: buffer) }
}
