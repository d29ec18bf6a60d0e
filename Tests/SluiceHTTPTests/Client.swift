import XCTest

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A client that sends bytes as they are, and waits for answers with a deadline.
final class Client {
  let socket: Int32
  let port: UInt16
  private(set) var received: [UInt8] = []
  private(set) var isClosed = false

  /// - Parameter room: The bytes that the system keeps for it; nil for its own choice.
  init(port: UInt16, room: Int32? = nil) throws {
    self.port = port
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var room { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try XCTSkipUnless(connected == 0, "no connection to the port \(port)")
  }

  deinit { close(socket) }

  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
  func send(_ text: String) { send(Array(text.utf8)) }

  /// Reads until the bytes fulfil a condition, the line is closed, or ten seconds have passed.
  @discardableResult func read(until isEnough: ([UInt8]) -> Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let deadline = time(nil) + 10
    while !isEnough(received) {
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard !isClosed, time(nil) <= deadline, poll(&waiting, 1, 1_000) >= 0 else { return false }
      guard waiting.revents != 0 else { continue }
      let count = recv(socket, &buffer, buffer.count, 0)
      if count <= 0 { isClosed = true } else { received += buffer[..<count] }
    }
    return true
  }

  func readToEnd() -> String {
    read { _ in false }
    return String(decoding: received, as: UTF8.self)
  }

  /// Sends a request, and reads its answer.
  func request(_ method: String = "GET", _ path: String, _ headers: [String]? = nil, _ body: String = "")
    -> (status: Int, head: String, body: String)
  {
    let headers = headers ?? ["Host: localhost:\(port)"]
    received = []
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    send(([("\(method) \(path) HTTP/1.1")] + headers + length).joined(separator: "\r\n") + "\r\n\r\n" + body)
    var count = 0
    var end = 0
    let isWhole = read { bytes in
      guard let found = Self.endOfHead(bytes) else { return false }
      end = found
      let head = String(decoding: bytes[..<found], as: UTF8.self).lowercased()
      let line = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      count = line.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
      return bytes.count >= found + (method == "HEAD" ? 0 : count)
    }
    guard isWhole else { return (0, "", "") }
    let head = String(decoding: received[..<end], as: UTF8.self)
    return (
      Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, head,
      String(decoding: received[end...], as: UTF8.self)
    )
  }

  static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (4...bytes.count).first { Array(bytes[($0 - 4)..<$0]) == [13, 10, 13, 10] }
  }

  // MARK: WebSocket

  /// Asks for a WebSocket.
  /// - Returns: The status.
  func upgrade(_ subprotocol: String?, _ headers: [String]? = nil, path: String = "/ws") -> Int {
    let lines =
      ["GET \(path) HTTP/1.1"] + (headers ?? ["Host: localhost:\(port)"]) + [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ] + (subprotocol.map { ["Sec-WebSocket-Protocol: \($0)"] } ?? [])
    received = []
    send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    read { Self.endOfHead($0) != nil }
    guard let end = Self.endOfHead(received) else { return 0 }
    let head = String(decoding: received[..<end], as: UTF8.self)
    received.removeFirst(end)
    return Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  /// A frame of a client, with a mask of zeros.
  static func frame(_ payload: [UInt8], opcode: UInt8 = 1, isLast: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
    if payload.count < 126 {
      bytes.append(0x80 | UInt8(payload.count))
    } else {
      bytes += [0xfe, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    }
    return bytes + [0, 0, 0, 0] + payload
  }

  func say(_ text: String) { send(Self.frame(Array(text.utf8))) }

  /// The next message of the server; nil if there is none.
  func message() -> (opcode: UInt8, payload: [UInt8])? {
    var found: (UInt8, Int, Int)?
    read { bytes in
      guard bytes.count >= 2 else { return false }
      var (begin, count) = (2, Int(bytes[1] & 127))
      if count == 126 {
        guard bytes.count >= 4 else { return false }
        (begin, count) = (4, Int(bytes[2]) << 8 | Int(bytes[3]))
      } else if count == 127 {
        guard bytes.count >= 10 else { return false }
        (begin, count) = (10, bytes[2..<10].reduce(0) { $0 << 8 | Int($1) })
      }
      guard bytes.count >= begin + count else { return false }
      found = (bytes[0] & 15, begin, count)
      return true
    }
    guard let (opcode, begin, count) = found else { return nil }
    let payload = Array(received[begin..<(begin + count)])
    received.removeFirst(begin + count)
    return opcode == 9 ? message() : (opcode, payload)
  }
}
