import SluiceReadings
import SluiceSystem

/// Where a server listens: `[ADDRESS:]PORT`, or `unix:PATH`.
package enum HTTPAddress: Equatable, Sendable, CustomStringConvertible {
  /// An address in digits: `127.0.0.1`, `::1`.
  case internet(String, port: UInt16)
  case unix(String)

  /// - Returns: Nil if it is no address.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
      self = .unix(path)
      return
    }
    var host = "127.0.0.1"
    var port = text[...]
    if let colon = text.lastIndex(of: ":") {
      host = String(text[..<colon])
      port = text[text.index(after: colon)...]
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
      } else if host.contains(":") {
        return nil
      }
      if host == "localhost" { host = "127.0.0.1" }
    }
    guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt16(port), Self.isLiteral(host) else {
      return nil
    }
    self = .internet(host, port: number)
  }

  package var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  /// Whether only programs of this machine reach it.
  package var isOfThisMachine: Bool {
    switch self {
    case .unix: true
    case .internet(let host, _): host == "::1" || host.hasPrefix("127.")
    }
  }

  /// Whether a text is an address in digits.
  static func isLiteral(_ host: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }

  // MARK: Listening

  /// Opens a listening socket, which does not block.
  /// - Returns: It, and the address with the port that the system has chosen for port 0.
  func listen() throws(SluiceError) -> (socket: Int32, address: HTTPAddress) {
    switch self {
    case .internet(let host, let port): try listen(host, port)
    case .unix(let path): (try listen(path), self)
    }
  }

  private func listen(_ host: String, _ port: UInt16) throws(SluiceError) -> (Int32, HTTPAddress) {
    var six = sockaddr_in6()
    var four = sockaddr_in()
    let isSix = inet_pton(AF_INET6, host, &six.sin6_addr) == 1
    if !isSix { _ = inet_pton(AF_INET, host, &four.sin_addr) }
    (six.sin6_family, six.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
    (four.sin_family, four.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = SluiceSystem.socket(isSix ? AF_INET6 : AF_INET, type, 0)
    guard socket >= 0 else { throw failure(errno) }
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let bound = isSix ? Self.bind(socket, &six) : Self.bind(socket, &four)
    guard bound == 0, SluiceSystem.listen(socket, 64) == 0 else {
      let code = errno
      close(socket)
      throw failure(code)
    }
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let named = withUnsafeMutablePointer(to: &six) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    // Both kinds of address have the port at the same place.
    return (socket, .internet(host, port: named == 0 ? UInt16(bigEndian: six.sin6_port) : port))
  }

  private func listen(_ path: String) throws(SluiceError) -> Int32 {
    try removeLeftover(path)
    do throws(SystemErrno) {
      return try UnixSocket.listen(at: path, mode: 0o600)
    } catch {
      throw failure(error.code)
    }
  }

  /// Removes the socket of a program that has ended, and nothing else.
  private func removeLeftover(_ path: String) throws(SluiceError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SluiceError(
        .alreadyExists, "listen at", "\(self)", because: "there is a file of this name",
        remedy: "give another path, or remove the file")
    }
    do throws(SystemErrno) {
      closeFile(try UnixSocket.connect(to: path))
    } catch  where error.code == ECONNREFUSED {
      unlink(path)
      return
    } catch {
      throw failure(EADDRINUSE)
    }
    throw failure(EADDRINUSE)
  }

  private static func bind<Address>(_ socket: Int32, _ address: inout Address) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        SluiceSystem.bind(socket, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  private func failure(_ code: Int32) -> SluiceError {
    var remedy: String?
    switch code {
    case EADDRINUSE:
      remedy =
        if case .internet(_, let port) = self, port < .max {
          "end the program that has it, or give another one, such as --http \(port + 1)"
        } else {
          "end the program that has it, or give another path"
        }
    case EADDRNOTAVAIL: remedy = "give an address that this machine has"
    case ENAMETOOLONG:
      return SluiceError(
        .usage, "listen at", "\(self)", because: "the path is longer than \(UnixSocket.longestPath) bytes",
        remedy: "give a shorter one")
    case EACCES:
      if case .internet(_, let port) = self, port < 1_024 { remedy = "give a port from 1024 on" }
    default: break
    }
    return SluiceError("listen at", "\(self)", errno: code, remedy: remedy)
  }
}
