/// The socket on which a service tells systemd about itself, with the protocol of sd_notify(3).
package struct NotifySocket: Sendable {
  private let address: [UInt8]

  /// - Parameter value: The value of `NOTIFY_SOCKET`: a path, or the name of an abstract socket behind `@`. Nil if it is
  ///   neither, or too long.
  package init?(_ value: String) {
    var address = Array(value.utf8)
    guard let first = address.first, address.count > 1 else { return nil }
    switch first {
    case UInt8(ascii: "@"): address[0] = 0
    case UInt8(ascii: "/"): break
    default: return nil
    }
    // A path needs a zero behind it.
    guard address.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    self.address = address
  }

  /// Sends assignments, one per line, such as `READY=1`. It waits at most a second for a manager that is busy.
  package func send(_ state: String) throws(SystemErrno) {
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let socket = try valueOrErrno { SluiceSystem.socket(AF_UNIX, type, 0) }
    defer { closeFile(socket) }
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
    // The name of an abstract socket has no end but the length of the address.
    let isPath = address[0] != 0
    let length = MemoryLayout<sa_family_t>.size + address.count + (isPath ? 1 : 0)
    let bytes = Array(state.utf8)
    _ = try valueOrErrno {
      withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
        }
      }
    }
  }
}
