import SluiceLive
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// What is served of a recording: the page, the account, the metrics, the files, the WebSockets, and its control.
final class RecordingSite: HTTPSite {
  private struct Order: Decodable {
    var order: String
    var text: String?
  }

  private struct Login: Decodable { var token: String }

  let admission: HTTPAdmission
  private let watch: RecordingWatch
  private let frames: PageFrames
  /// The number of open connections.
  var connections: () -> Int = { 0 }

  init(_ watch: RecordingWatch, _ admission: HTTPAdmission) {
    (self.watch, self.admission, frames) = (watch, admission, PageFrames(watch.live))
  }

  var protocols: [String] { [PageSession.name] + FoxgloveSession.names }

  func admit(_ request: HTTPRequest) -> HTTPAdmission.Refusal? {
    guard request.path == "/ws" || request.path == "/" else {
      return HTTPAdmission.Refusal(status: 404, sentence: "there is no WebSocket at this address; ask for /ws")
    }
    return admission.foreign(request) ?? admission.unknown(request)
  }

  func refresh() { watch.refresh() }

  func open(_ number: Int, _ line: any WebSocketLine) -> any WebSocketSession {
    number == 0
      ? PageSession(watch, frames, isControlled: admission.isControlled && admission.token != nil)
      : FoxgloveSession(watch, line)
  }

  // MARK: Requests

  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    var answer = admission.foreign(request).map { .refusal($0.status, $0.sentence) } ?? route(request)
    answer.headers += [
      ("cache-control", "no-store"), ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
      ("cross-origin-resource-policy", "same-origin"),
    ]
    if let origin = request.origin, admission.origins.contains(origin) {
      answer.headers += [("access-control-allow-origin", origin), ("vary", "origin")]
    }
    return answer
  }

  private func route(_ request: HTTPRequest) -> HTTPAnswer {
    switch (request.method, request.path) {
    case (.post, "/session"): return login(request)
    case (.post, "/control"):
      if let refusal = admission.powerless(request) { return .refusal(refusal.status, refusal.sentence) }
      return control(request)
    case (.get, _), (.head, _): break
    default: return .refusal(405, "this is answered to GET only")
    }
    // The page has nothing of the recording in it. It asks for the token.
    if request.path == "/" { return Self.page }
    if request.path == "/favicon.ico" { return HTTPAnswer(status: 204) }
    if let refusal = admission.unknown(request) { return .refusal(refusal.status, refusal.sentence) }
    switch request.path {
    case "/session": return .json(#"{"control": \#(admission.isControlled && admission.token != nil)}"#)
    case "/status": return .json(watch.status.text)
    case "/metrics": return metrics
    default: return file(request.path) ?? .refusal(404, "there is no \(request.path.prefix(100)) here")
    }
  }

  private static let page = HTTPAnswer(
    headers: [
      ("content-type", "text/html; charset=utf-8"),
      (
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ),
    ], body: .bytes(PackageResources.page_html))

  private var metrics: HTTPAnswer {
    watch.refresh()
    let (streams, now) = (watch.recording.streams, watch.recording.clock.now)
    let ages = zip(streams, watch.live.newest).map { stream, newest in
      (name: stream.name, age: newest.time.map { Double(now &- $0) / 1e9 })
    }
    let metrics = Metrics(
      watch.account, watch.standing, watch.recording.plan.replay == nil ? ages : [],
      viewers: Metrics.Viewers(open: connections(), missed: watch.live.missed), version: SluicePipeline.version)
    return .text(metrics.text, type: "text/plain; version=0.0.4; charset=utf-8")
  }

  // MARK: Secrets and orders

  private static func isJSON(_ request: HTTPRequest) -> Bool {
    let type = request.contentType?.prefix { $0 != ";" } ?? ""
    return type.trimming(" ").lowercased() == "application/json"
  }

  private static func decoded<Value: Decodable>(_ type: Value.Type, _ request: HTTPRequest) -> Value? {
    guard isJSON(request) else { return nil }
    return try? JSON(parsing: request.body).decode(type)
  }

  private func login(_ request: HTTPRequest) -> HTTPAnswer {
    guard let token = admission.token else { return .refusal(404, "there is no token here") }
    guard let login = Self.decoded(Login.self, request) else {
      return .refusal(400, #"this takes JSON: {"token": "..."}"#)
    }
    guard token.isToken(login.token) else { return .refusal(403, "this is not the token") }
    return HTTPAnswer(
      status: 204,
      headers: [
        ("set-cookie", "\(admission.cookieName)=\(token.cookie); Path=/; HttpOnly; SameSite=Strict")
      ])
  }

  private func control(_ request: HTTPRequest) -> HTTPAnswer {
    guard let order = Self.decoded(Order.self, request) else {
      return .refusal(400, #"this takes JSON: {"order": "pause"}, {"order": "mark", "text": "..."}"#)
    }
    switch order.order {
    case "pause": watch.recording.pause()
    case "resume": watch.recording.resume()
    case "mark":
      do throws(SluiceError) {
        try watch.recording.mark(order.text ?? "")
      } catch {
        return .refusal(409, "\(error)")
      }
    default: return .refusal(400, "the orders are pause, resume and mark")
    }
    watch.live.touch()
    return HTTPAnswer(status: 204)
  }

  // MARK: Files

  /// A file of the recording, by its number and its name: `/files/0/walk.csv`. No other file has such an address.
  private func file(_ path: String) -> HTTPAnswer? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "files", let number = Int(parts[2]),
      let file = watch.files.first(where: { $0.number == number && $0.name == parts[3] })
    else { return nil }
    // A pipe would wait for its writer. Who may write into the folder, or rename it, could put a link to another file there.
    let descriptor = SluiceSystem.open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      FileIdentity(status) == file.identity
    else {
      if descriptor >= 0 { close(descriptor) }
      return .refusal(404, "\(file.name) is not there, or another file has its name now")
    }
    return HTTPAnswer(
      headers: [
        ("content-type", "application/octet-stream"),
        ("content-disposition", "attachment; filename*=UTF-8''\(Self.encoded(file.name))"),
      ], body: .file(descriptor, count: Int(status.st_size)))
  }

  private static func encoded(_ name: String) -> String {
    name.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || [0x2d, 0x2e, 0x5f].contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> Substring {
    var text = drop { $0 == character }
    while text.last == character { text.removeLast() }
    return text
  }
}
