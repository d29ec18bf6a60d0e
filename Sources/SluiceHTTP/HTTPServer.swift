import CHTTP
import Dispatch
import Sluice
import SluiceReadings
import SluiceSystem

/// What a server serves. All of it is called on the thread of the server.
protocol HTTPSite: AnyObject {
  /// The names of its subprotocols.
  var protocols: [String] { get }
  func answer(_ request: HTTPRequest) -> HTTPAnswer
  /// - Returns: Nil if the WebSocket is admitted.
  func admit(_ request: HTTPRequest) -> HTTPAdmission.Refusal?
  func open(_ number: Int, _ line: any WebSocketLine) -> any WebSocketSession
  /// Called before sessions that are content with beats get what they wait for.
  func refresh()
}

/// A server for requests and WebSockets, with a thread of its own.
///
/// libwebsockets does the work. It is loaded with the first server.
final class HTTPServer: @unchecked Sendable {
  // `state` has its lock. The rest is used on the thread of the server only, or does not change after `init`.

  struct Limits {
    var connections = 64
    var headers = 8_192
    var body = 8_192
    var message = 65_536
    var requestSeconds = 10
    var idleSeconds = 30
    var silentSeconds = 300
    /// How long the viewers have at the end to take what was not sent yet.
    var endSeconds = 1
  }

  private struct State {
    var server: OpaquePointer?
    var work: [() -> Void] = []
    /// The latest time at which the server ends, in milliseconds of ``monotonicMilliseconds()``; nil while it serves.
    var end: UInt64?
  }

  let site: any HTTPSite
  private let limits: Limits
  private let state = Locked(State())
  private let over = DispatchSemaphore(value: 0)
  private var pace = HTTPPace()
  private var isDue = false
  private var sessions: [ObjectIdentifier: Session] = [:]
  private var names: [UnsafeMutablePointer<CChar>] = []

  /// A session, as the library knows it.
  private final class Session {
    let session: any WebSocketSession
    let line: Line
    init(_ session: any WebSocketSession, _ line: Line) { (self.session, self.line) = (session, line) }
  }

  private final class Line: WebSocketLine, @unchecked Sendable {
    // `connection` is used on the thread of the server only.
    weak var server: HTTPServer?
    var connection: OpaquePointer?
    init(_ server: HTTPServer, _ connection: OpaquePointer) { (self.server, self.connection) = (server, connection) }

    func want() { server?.perform { if let connection = self.connection { chttp_want(connection) } } }
  }

  /// - Parameter socket: A listening socket, which the server closes.
  init(_ site: any HTTPSite, socket: Int32, limits: Limits = Limits()) throws(SluiceError) {
    (self.site, self.limits) = (site, limits)
    if let failure = chttp_load() {
      SluiceSystem.close(socket)
      throw SluiceError(
        .notFound, "load", String(cString: chttp_library), because: String(cString: failure),
        remedy: chttp_version == nil
          ? "install it with apt install libwebsockets-dev, remove .build, and build sluice again"
          : "install it with apt install libwebsockets17 on Debian 12, or libwebsockets19t64 on Debian 13")
    }
    // They stay as long as the server.
    names = site.protocols.compactMap { strdup($0) }
    var protocols: [UnsafePointer<CChar>?] = names.map { UnsafePointer($0) } + [nil]
    var bounds = chttp_limits(
      connections: Int32(limits.connections), headers: Int32(limits.headers), body: limits.body,
      message: limits.message, request_seconds: Int32(limits.requestSeconds), idle_seconds: Int32(limits.idleSeconds),
      silent_seconds: Int32(limits.silentSeconds))
    var callbacks = self.callbacks
    guard let server = chttp_new(socket, &protocols, &bounds, &callbacks) else {
      throw SluiceError(.failed, "start", "the server for viewers", because: "libwebsockets has no memory for it")
    }
    state.withLock { $0.server = server }
  }

  deinit { for name in names { free(name) } }

  // MARK: Any thread

  func start() {
    let thread = DispatchQueue(label: "sluice.http")
    thread.async { self.serve() }
  }

  /// Ends the server when the viewers have everything that there is for them, and after one second at the latest, so
  /// that no viewer delays the end of a recording.
  func stop() {
    let isFirst = state.withLock { state in
      guard state.end == nil, let server = state.server else { return false }
      state.end = monotonicMilliseconds() + UInt64(limits.endSeconds * 1_000)
      state.work.append { [weak self] in self?.beat() }
      chttp_wake(server)
      return true
    }
    if isFirst { _ = over.wait(timeout: .now() + .seconds(limits.endSeconds + 1)) }
  }

  /// Does something on the thread of the server.
  func perform(_ work: @escaping () -> Void) {
    state.withLock { state in
      guard let server = state.server else { return }
      state.work.append(work)
      // One is enough for all that is there when it is served.
      if state.work.count == 1 { chttp_wake(server) }
    }
  }

  /// The number of open connections, without the listening socket.
  var connections: Int { state.withLock { $0.server.map { Int(chttp_connections($0)) } ?? 0 } }

  // MARK: Its thread

  private func serve() {
    guard let server = state.withLock({ $0.server }) else { return }
    while !isOver, chttp_serve(server) {
      if isDue {
        // What was asked for in this turn is there now.
        isDue = false
        beat()
      } else if sessions.count > 1, isPaced, !chttp_is_sending(server) {
        // What several viewers ask for gathers for a moment, because each turn takes longer than what is done in it.
        poll(nil, 0, Int32(clamping: pace.rest))
      }
    }
    state.withLock { $0 = State(end: 0) }
    chttp_free(server)
    over.signal()
  }

  /// Whether the server was stopped, and the viewers have everything that there was for them, or their time for it is
  /// over.
  private var isOver: Bool {
    let (end, isIdle) = state.withLock { ($0.end, $0.work.isEmpty) }
    guard let end else { return false }
    return monotonicMilliseconds() >= end
      || isIdle
        && sessions.values.allSatisfy {
          $0.session.isDone && $0.line.connection.map { !chttp_is_buffered($0) } ?? true
        }
  }

  private var isEnding: Bool { state.withLock { $0.end != nil } }

  private var isPaced: Bool { sessions.values.allSatisfy { $0.session.isPaced } }

  private func woken() {
    let work = state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
    for work in work { work() }
    scheduleBeat()
  }

  /// While no session waits for anything, nothing runs.
  private func scheduleBeat() {
    guard let server = state.withLock({ $0.server }) else { return }
    // The last readings come from other threads, so there is a beat every 10 ms. The time for it is limited.
    if isEnding { return chttp_after(server, 10) }
    guard let due = sessions.values.lazy.compactMap({ $0.session.due }).min() else { return }
    // What others than pages cost is not the pages' fault.
    guard let wait = pace.schedule(due, viewers: isPaced ? sessions.count : 0) else { return }
    chttp_after(server, Int32(clamping: wait))
  }

  /// Lets the sessions that wait have what there is for them, all at once.
  private func beat() {
    pace.begin()
    let now = isEnding ? UInt64.max : monotonicMilliseconds()
    let waiting = sessions.values.filter { $0.session.due ?? .max <= now }
    if waiting.contains(where: { $0.session.isPaced }) {
      site.refresh()
      pace.ignore()
    }
    for session in waiting {
      if session.session.tick(), let connection = session.line.connection { chttp_want(connection) }
    }
    scheduleBeat()
  }

  // MARK: Calls of the library

  private var callbacks: chttp_callbacks {
    chttp_callbacks(
      // It lives until `serve()` has ended, which has it.
      context: Unmanaged.passUnretained(self).toOpaque(),
      request: { context, connection, request, body, count in
        guard let connection, let request else { return }
        let server = HTTPServer.from(context)
        var asked = HTTPRequest(request.pointee)
        asked.body = Array(UnsafeRawBufferPointer(start: body, count: count))
        server.send(server.site.answer(asked), connection)
      },
      admit: { context, request, _, sentence, size in
        guard let request else { return 400 }
        guard let refusal = HTTPServer.from(context).site.admit(HTTPRequest(request.pointee)) else { return 0 }
        // It ends with a zero, also if it is cut.
        let text = (refusal.sentence + "\n").utf8.prefix(max(0, size - 1)).map { CChar(bitPattern: $0) } + [0]
        sentence?.update(from: text, count: min(size, text.count))
        return Int32(refusal.status)
      },
      opened: { context, connection, number in
        guard let connection else { return nil }
        return HTTPServer.from(context).open(connection, Int(number))
      },
      received: { context, session, bytes, count, isText in
        guard let session else { return true }
        let server = HTTPServer.from(context)
        let message = Array(UnsafeRawBufferPointer(start: bytes, count: count))
        let ends = Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().session.receive(message, isText: isText)
        server.scheduleBeat()
        return ends
      },
      writable: { context, session in
        guard let session else { return false }
        return HTTPServer.from(context).write(Unmanaged<Session>.fromOpaque(session).takeUnretainedValue())
      },
      closed: { context, session in
        guard let session else { return }
        HTTPServer.from(context).close(Unmanaged<Session>.fromOpaque(session).takeUnretainedValue())
      },
      woken: { HTTPServer.from($0).woken() },
      due: { HTTPServer.from($0).isDue = true })
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> HTTPServer {
    guard let context else { preconditionFailure("the library gives back what it was given") }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  }

  private func open(_ connection: OpaquePointer, _ number: Int) -> UnsafeMutableRawPointer? {
    let line = Line(self, connection)
    let session = Session(site.open(number, line), line)
    sessions[ObjectIdentifier(session)] = session
    chttp_want(connection)
    scheduleBeat()
    return Unmanaged.passUnretained(session).toOpaque()
  }

  private func write(_ session: Session) -> Bool {
    guard let connection = session.line.connection, let message = session.session.next() else { return false }
    let isSent =
      switch message {
      case .text(var text): text.withUTF8 { chttp_send(connection, $0.baseAddress, $0.count, true) }
      case .binary(let bytes): bytes.withUnsafeBytes { chttp_send(connection, $0.baseAddress, $0.count, false) }
      }
    return isSent && session.session.hasMore
  }

  private func close(_ session: Session) {
    session.line.connection = nil
    session.session.end()
    sessions[ObjectIdentifier(session)] = nil
  }

  private func send(_ answer: HTTPAnswer, _ connection: OpaquePointer) {
    let words: [String] = answer.headers.flatMap { ["\($0.name):", $0.value] }
    let texts = words.compactMap { strdup($0) }
    defer { for text in texts { free(text) } }
    var headers: [UnsafePointer<CChar>?] = texts.map { UnsafePointer($0) } + [nil]
    switch answer.body {
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        chttp_answer(connection, Int32(answer.status), &headers, $0.baseAddress, UInt64($0.count), -1)
      }
    case .file(let file, let count):
      chttp_answer(connection, Int32(answer.status), &headers, nil, UInt64(count), file)
    }
  }
}

extension HTTPRequest {
  init(_ request: chttp_request) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
    switch Int(request.method) {
    case Int(CHTTP_GET): method = .get
    case Int(CHTTP_HEAD): method = .head
    case Int(CHTTP_POST): method = .post
    default: method = .other
    }
    path = text(request.path) ?? "/"
    host = text(request.host)
    origin = text(request.origin)
    cookie = text(request.cookie)
    authorization = text(request.authorization)
    contentType = text(request.content_type)
  }
}
