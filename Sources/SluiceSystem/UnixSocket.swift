/// Stream sockets in the file system (unix(7)). None of them blocks, and no program that is started inherits one.
package enum UnixSocket {
  /// The most bytes that the path of a socket has.
  package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Who has the other end.
  package struct Peer: Equatable, Sendable {
    package var process: Int32
    package var user: UInt32
    package var group: UInt32

    package init(process: Int32, user: UInt32, group: UInt32) {
      (self.process, self.user, self.group) = (process, user, group)
    }
  }

  /// Makes a socket with this mode, and listens. At no moment more users can open it than the mode says.
  /// - Parameter waiting: The connections that the kernel keeps until they are accepted.
  /// - Throws: ENAMETOOLONG for a path that is too long, EADDRINUSE if there is a file of this name.
  package static func listen(at path: String, mode: mode_t, waiting: Int32 = 64) throws(SystemErrno) -> Int32 {
    var name = try address(path)
    let descriptor = try valueOrErrno { socket(AF_UNIX, streamSocket, 0) }
    // Linux gives the file the mode of the socket. The umask may take some of it away, and is not asked for.
    guard fchmod(descriptor, mode) == 0, bind(descriptor, &name) == 0 else {
      let code = errno
      closeFile(descriptor)
      throw SystemErrno(code)
    }
    guard chmod(path, mode) == 0, SluiceSystem.listen(descriptor, waiting) == 0 else {
      let code = errno
      closeFile(descriptor)
      unlink(path)
      throw SystemErrno(code)
    }
    return descriptor
  }

  /// Connects to whoever listens.
  /// - Throws: ECONNREFUSED if nobody does, EAGAIN if the kernel keeps no more connections for it now.
  package static func connect(to path: String) throws(SystemErrno) -> Int32 {
    var name = try address(path)
    let descriptor = try valueOrErrno { socket(AF_UNIX, streamSocket, 0) }
    do throws(SystemErrno) {
      _ = try valueOrErrno {
        withUnsafePointer(to: &name) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            SluiceSystem.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
      }
    } catch {
      closeFile(descriptor)
      throw error
    }
    return descriptor
  }

  /// Takes a connection.
  /// - Returns: Nil if none waits.
  package static func accept(_ listening: Int32) throws(SystemErrno) -> Int32? {
    do throws(SystemErrno) {
      return try valueOrErrno { csocket_accept(listening) }
    } catch  where error.code == EAGAIN || error.code == EWOULDBLOCK || error.code == ECONNABORTED {
      return nil
    }
  }

  /// Who has the other end, since the connection was made; nil if the system does not tell it.
  package static func peer(of descriptor: Int32) -> Peer? {
    var peer = csocket_peer()
    guard csocket_peer_of(descriptor, &peer) == 0 else { return nil }
    return Peer(process: peer.process, user: peer.user, group: peer.group)
  }

  /// Whether the other end has gone: it neither sends nor reads any more.
  package static func hasHungUp(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && Int32(state.revents) & (POLLHUP | POLLERR) != 0
  }

  /// Sends as many bytes as the socket takes now.
  /// - Throws: EPIPE if the other end has gone, without a signal.
  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int {
    do throws(SystemErrno) {
      return try valueOrErrno {
        SluiceSystem.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
    } catch  where error.code == EAGAIN || error.code == EWOULDBLOCK {
      return 0
    }
  }

  /// Receives what is there.
  /// - Returns: Nil if nothing is there now; nothing at the end.
  package static func receive(_ descriptor: Int32, into bytes: inout [UInt8]) throws(SystemErrno) -> Int? {
    do throws(SystemErrno) {
      return try readBytes(descriptor, into: &bytes)
    } catch  where error.code == EAGAIN || error.code == EWOULDBLOCK {
      return nil
    }
  }

  private static var streamSocket: Int32 {
    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  }

  private static func address(_ path: String) throws(SystemErrno) -> sockaddr_un {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    guard !path.isEmpty, !path.utf8.contains(0) else { throw SystemErrno(EINVAL) }
    let fits = withUnsafeMutableBytes(of: &name.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { throw SystemErrno(ENAMETOOLONG) }
    return name
  }

  private static func bind(_ descriptor: Int32, _ address: inout sockaddr_un) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        SluiceSystem.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
