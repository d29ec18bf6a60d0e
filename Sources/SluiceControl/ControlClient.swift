package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Sends requests to a recording, and waits for its answers no longer than the caller says.
package final class ControlClient {
  /// A line that a recording has sent.
  package struct Reply {
    /// What kind of line it is: `done`, `refused`, `status`, `health`, `event`, `missed` or `ended`.
    package var kind: String
    /// The sentence of the line, or its JSON.
    package var content: String
    /// The content as a text for people.
    package var text: String?
    /// The status of a `health` line, from 0 (all is well) to 2; nil for other kinds.
    package var level: Int?
    package var changed: [String] = []
    package var kept: [String] = []
  }

  private let path: String
  private let name: String
  private let socket: Int32
  private var input: [UInt8] = []

  /// Connects to a recording.
  /// - Parameter milliseconds: How long to wait if the recording has too many clients.
  package init(_ path: String, _ name: String, within milliseconds: Int = 5_000) throws(SluiceError) {
    (self.path, self.name) = (path, name)
    let end = monotonicMilliseconds() + UInt64(milliseconds)
    while true {
      do throws(SystemErrno) {
        socket = try UnixSocket.connect(to: path)
        return
      } catch  where error.code == EAGAIN && monotonicMilliseconds() < end {
        poll(nil, 0, 20)
      } catch {
        throw Self.failure(name, path, error.code)
      }
    }
  }

  deinit { closeFile(socket) }

  private static func failure(_ name: String, _ path: String, _ code: Int32) -> SluiceError {
    switch code {
    case ECONNREFUSED, ENOENT:
      SluiceError(
        .notFound, "ask", name, because: "it does not run any more",
        remedy: "'sluice ctl' lists the running recordings", errno: code)
    case EACCES:
      SluiceError(
        .permissionDenied, "ask", name, because: "its socket \(path) is not open for this user",
        remedy: "ask as its owner, as a member of its group, or as root", errno: code)
    case EAGAIN: SluiceError(.busy, "ask", name, because: "it has too many clients, or is stopped", errno: code)
    default: SluiceError("ask", name, errno: code)
    }
  }

  /// The process of the recording; nil if the system does not tell it.
  package var process: Int32? { UnixSocket.peer(of: socket).map(\.process).flatMap { $0 > 0 ? $0 : nil } }

  /// Sends a request.
  package func send(_ request: ControlRequest) throws(SluiceError) {
    let line = request.line
    var sent = 0
    while sent < line.count {
      let result = line.withUnsafeBytes { bytes in
        Result { () throws(SystemErrno) in
          try UnixSocket.send(socket, UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        }
      }
      do throws(SystemErrno) {
        let count = try result.get()
        sent += count
        if count == 0 { try wait(POLLOUT, 5_000) }
      } catch {
        // The recording may have said why before it closed the connection.
        if error.code == EPIPE { return }
        throw Self.failure(name, path, error.code)
      }
    }
  }

  /// The bytes of the longest answer.
  private static let longest = 16 << 20

  /// Waits for the next line of the recording.
  /// - Parameter milliseconds: How long to wait; nil for no limit.
  /// - Returns: Nil if the recording has closed the connection.
  package func reply(within milliseconds: Int?) throws(SluiceError) -> Reply? {
    let end = milliseconds.map { monotonicMilliseconds() + UInt64($0) }
    while true {
      if let newline = input.firstIndex(of: 0x0a) {
        let line = Array(input[..<newline])
        input.removeSubrange(...newline)
        guard let reply = Self.reply(line) else {
          throw SluiceError(.malformed, "ask", name, because: "this version of sluice does not know its answer")
        }
        return reply
      }
      do throws(SystemErrno) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        if let count = try UnixSocket.receive(socket, into: &bytes) {
          guard count > 0 else { return nil }
          input += bytes[..<count]
          // A program that is not a recording may send without an end.
          guard input.count <= Self.longest else { throw SystemErrno(EMSGSIZE) }
          if let end, monotonicMilliseconds() > end, !input.contains(0x0a) { throw SystemErrno(ETIMEDOUT) }
        } else {
          let now = monotonicMilliseconds()
          let left = end.map { $0 > now ? Int($0 - now) : 0 }
          if left == 0 { throw SystemErrno(ETIMEDOUT) }
          try wait(POLLIN, left)
        }
      } catch {
        switch error.code {
        case ETIMEDOUT: throw silence(milliseconds ?? 0)
        case ECONNRESET: return nil
        case EMSGSIZE:
          throw SluiceError(.malformed, "ask", name, because: "its answer is longer than \(Self.longest >> 20) MiB")
        default: throw Self.failure(name, path, error.code)
        }
      }
    }
  }

  private func wait(_ events: Int32, _ milliseconds: Int?) throws(SystemErrno) {
    var waiting = pollfd(fd: socket, events: Int16(events), revents: 0)
    if try valueOrErrno({ poll(&waiting, 1, Int32(clamping: milliseconds ?? -1)) }) == 0 {
      throw SystemErrno(ETIMEDOUT)
    }
  }

  private func silence(_ milliseconds: Int) -> SluiceError {
    let process = process
    let isStopped = process.map(Self.isStopped) ?? false
    let who = process.map { "its process \($0)" } ?? "it"
    return SluiceError(
      .failed, "ask", name,
      because: isStopped
        ? "\(who) is stopped" : "\(who) has not answered within \(milliseconds / 1_000) s",
      remedy: isStopped
        ? process.map { "'kill -CONT \($0)' continues it" } : "ask again, or look at the machine's load",
      errno: ETIMEDOUT)
  }

  /// Whether a signal has stopped a process (state `T` or `t` in proc(5)).
  private static func isStopped(_ process: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    guard let descriptor = try? openFile("/proc/\(process)/stat", O_RDONLY) else { return false }
    defer { closeFile(descriptor) }
    guard let count = try? readBytes(descriptor, into: &bytes),
      // The name of the process may contain any character; it ends at the last parenthesis.
      let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count
    else { return false }
    return bytes[end + 2] == UInt8(ascii: "T") || bytes[end + 2] == UInt8(ascii: "t")
  }

  // MARK: Lines

  private static let kinds = ["done", "refused", "status", "health", "event", "missed", "ended"]

  static func reply(_ line: [UInt8]) -> Reply? {
    line.withUnsafeBufferPointer { bytes -> Reply? in
      var cursor = JSONCursor(bytes)
      let words = cursor
      var reply: Reply?
      var (text, level, changed, kept) = (String?.none, Int?.none, [String](), [String]())
      guard cursor.take("{") else { return nil }
      let isWhole = cursor.members { name, value in
        guard let name = words.text(name) else { return false }
        let string = string(bytes, value)
        switch name {
        case "text": text = string
        case "level": level = string.flatMap { Int($0) }
        case "changed": changed = strings(bytes, value)
        case "kept": kept = strings(bytes, value)
        default:
          guard kinds.contains(name) else { break }
          reply = Reply(kind: name, content: string ?? String(decoding: bytes[value], as: UTF8.self))
        }
        return true
      }
      guard isWhole, cursor.isAtEnd, var whole = reply else { return nil }
      (whole.text, whole.level, whole.changed, whole.kept) = (text, level, changed, kept)
      return whole
    }
  }

  private static func string(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String? {
    var cursor = JSONCursor(bytes, range)
    return cursor.string().flatMap { JSONCursor(bytes).text($0) }
  }

  private static func strings(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [String] {
    var cursor = JSONCursor(bytes, range)
    guard cursor.take("[") else { return [] }
    var all: [String] = []
    while let range = cursor.string() {
      all.append(JSONCursor(bytes).text(range) ?? "")
      guard cursor.take(",") else { break }
    }
    return all
  }
}
