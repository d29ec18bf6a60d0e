package import SluiceReadings
import SluiceSystem

/// A connection to a server that sends lines.
package final class TCPWire: LineWire {
  private let host: String
  private let port: String
  private var descriptor: Int32 = -1

  /// How long a connection may take, in milliseconds.
  private static var patience: Int32 { 10_000 }

  package init(_ host: String, port: String) { (self.host, self.port) = (host, port) }

  package var title: String { "\(host):\(port)" }
  package var descriptors: [Int32] { descriptor < 0 ? [] : [descriptor] }

  /// Connects to the server. The first line that comes is taken as a whole one: a server begins with one, or the line does
  /// not fit.
  package func open(isInterrupted: () -> Bool) throws(SluiceError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, port, &hints, &found)
    guard code == 0 else {
      throw SluiceError(
        .notFound, "find", title, because: String(cString: gai_strerror(code)),
        remedy: "check the name of the host, and the port")
    }
    defer { freeaddrinfo(found) }
    var failure = ECONNREFUSED
    var next = found
    while let address = next?.pointee {
      next = address.ai_next
      do throws(SystemErrno) {
        descriptor = try Self.connected(address, isInterrupted)
        return
      } catch {
        if error.code == EINTR {
          throw SluiceError(.interrupted, "connect to", title, because: "a stop was requested")
        }
        failure = error.code
      }
    }
    // The server may be started later, so the error may pass.
    throw SluiceError(
      .failed, "connect to", title, because: SluiceError("connect to", title, errno: failure).cause,
      remedy: "start its server, or give another port", errno: failure)
  }

  /// - Throws: EINTR if it was interrupted.
  private static func connected(_ address: addrinfo, _ isInterrupted: () -> Bool) throws(SystemErrno) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = try valueOrErrno { socket(address.ai_family, type, address.ai_protocol) }
    do throws(SystemErrno) {
      if connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
        guard errno == EINPROGRESS else { throw SystemErrno(errno) }
        try waitUntilConnected(descriptor, isInterrupted)
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        if code != 0 { throw SystemErrno(code) }
      }
      // A peer that disappears without a message is noticed after two minutes: TCP_KEEPIDLE, _KEEPINTVL, _KEEPCNT.
      for (level, name, value) in [
        (SOL_SOCKET, SO_KEEPALIVE, Int32(1)), (Int32(IPPROTO_TCP), 4, 60), (Int32(IPPROTO_TCP), 5, 10),
        (Int32(IPPROTO_TCP), 6, 6),
      ] {
        setSocketOption(descriptor, level, name, value)
      }
      return descriptor
    } catch {
      closeFile(descriptor)
      throw error
    }
  }

  private static func waitUntilConnected(_ descriptor: Int32, _ isInterrupted: () -> Bool) throws(SystemErrno) {
    let deadline = kernelTime(CLOCK_MONOTONIC) + UInt64(patience) * 1_000_000
    while kernelTime(CLOCK_MONOTONIC) < deadline {
      if isInterrupted() { throw SystemErrno(EINTR) }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&waiting, 1, 50)
      if count > 0 { return }
      // A signal may be the interruption.
      if count < 0, errno != EINTR { throw SystemErrno(errno) }
    }
    throw SystemErrno(ETIMEDOUT)
  }

  package func read(
    _ ready: [Bool], into bytes: UnsafeMutableRawBufferPointer
  ) throws(SluiceError) -> LineRead {
    var cause = "the server has closed the connection"
    do throws(SystemErrno) {
      guard let count = try readWithoutWaiting(descriptor, into: bytes) else { return .nothing }
      if count > 0 { return .bytes(count) }
    } catch {
      cause = SluiceError("read", title, errno: error.code).cause
    }
    throw SluiceError(
      .disconnected, "read", title, because: cause, remedy: "start it again, or let the key reconnect wait for it")
  }

  package func close() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
  }
}
