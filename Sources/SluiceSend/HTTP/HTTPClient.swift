import CCurl
package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// A connection to one server, which is kept between requests. One thread at a time uses it; any may end it.
package final class HTTPClient: @unchecked Sendable {
  // Only `cancel` is called by several threads, and it changes an atomic of its own.

  private let handle: OpaquePointer
  private let settings: ServerSettings
  private let address: HTTPServerAddress

  /// The library, and its version.
  package static var library: String { String(cString: ccurl_version()) }

  /// - Throws: If libcurl cannot be loaded, or if a file of ``TLSFiles`` cannot be used.
  package init(_ address: HTTPServerAddress, _ settings: ServerSettings) throws(SluiceError) {
    try TLSFiles.check(settings)
    var failure: UnsafePointer<CChar>?
    guard let handle = ccurl_open(&failure) else {
      throw SluiceError(
        .unsupported, "send to", address.text,
        because: "libcurl cannot be loaded (\(failure.map { String(cString: $0) } ?? ""))",
        remedy: "install or upgrade it with apt install libcurl4")
    }
    (self.handle, self.address, self.settings) = (handle, address, settings)
  }

  deinit { ccurl_close(handle) }

  package func cancel() { ccurl_cancel(handle) }

  /// Sends a request, and waits for the answer.
  /// - Parameter body: The bytes of a POST; nil for a GET.
  /// - Throws: If the file of the token cannot be read.
  package func answer(
    _ url: String, _ body: UnsafeRawBufferPointer?, headers: [String] = []
  ) throws(SluiceError) -> HTTPAnswer {
    let secrets = try Credentials(settings, for: address)
    var lines = headers + ["User-Agent: sluice", "Expect:"]
    if let token = secrets.token { lines.append("Authorization: \(token)") }
    var request = ccurl_request()
    var answer = ccurl_answer()
    let copies = lines.map { strdup($0) }
    let texts = [url, secrets.login, settings.authorities, settings.certificate, settings.key].map {
      $0.map { strdup($0) }
    }
    defer {
      for copy in copies { free(copy) }
      for text in texts { free(text ?? nil) }
    }
    func pointer(_ place: Int) -> UnsafePointer<CChar>? { texts[place].flatMap { $0 }.map { UnsafePointer($0) } }
    (request.url, request.login, request.authorities) = (pointer(0), pointer(1), pointer(2))
    (request.certificate, request.key) = (pointer(3), pointer(4))
    if let body {
      // A POST without bytes still is one.
      request.body = body.baseAddress ?? UnsafeRawPointer(handle)
      request.length = body.count
    }
    let milliseconds = Int(clamping: max(1, settings.timeout / 1_000_000))
    (request.milliseconds, request.connect_milliseconds) = (milliseconds, min(milliseconds, 10_000))
    copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { lines in
      (request.headers, request.header_count) = (lines.baseAddress, lines.count)
      ccurl_perform(handle, &request, &answer)
    }
    return HTTPAnswer(answer)
  }
}

/// What a request proves its sender with. It is read for each request, so that a new token needs no restart.
struct Credentials {
  /// The header.
  var token: String?
  /// `user:password`
  var login: String?

  init(_ settings: ServerSettings, for address: HTTPServerAddress) throws(SluiceError) {
    guard try Self.areFor(address.text, settings, { address.isCalled($0) }) else { return }
    let word = address.dialect == .influx2 ? "Token" : "Bearer"
    token = try Self.secret(settings.tokenFile, SecretVariables.token, "token-file").map { "\(word) \($0)" }
    login = try Self.secret(settings.loginFile, SecretVariables.login, "login-file")
    if let login, !login.contains(":") {
      throw SluiceError(
        .malformed, "use", settings.loginFile ?? SecretVariables.login, because: "it has no colon",
        remedy: "write USER:PASSWORD there")
    }
    if token != nil || login != nil, settings.secretsFor == nil, !settings.isOnlyServer {
      throw SluiceError(
        .usage, "send to", address.text,
        because: "there are several servers, and each of them would get the token or the login",
        remedy: "say whose they are: --server secrets-for=HOST; the others then get none")
    }
  }

  /// Whether a server gets the secrets.
  /// - Throws: If the server is the only one, and the secrets are for another server.
  static func areFor(_ address: String, _ settings: ServerSettings, _ isCalled: (String) -> Bool) throws(SluiceError)
    -> Bool
  {
    guard let name = settings.secretsFor, !isCalled(name) else { return true }
    guard settings.isOnlyServer, areGiven(settings, hasToken: true) else { return false }
    throw SluiceError(
      .usage, "send to", address,
      because: "secrets-for=\(name) names another server, so this one would get no token and no login",
      remedy:
        "if it is to get them, write its host: --server secrets-for=HOST; otherwise leave out secrets-for and the "
        + "secrets")
  }

  /// Whether a secret would come from the environment.
  /// - Parameter hasToken: Whether the server could get a token, too.
  static func areOfTheEnvironment(_ settings: ServerSettings, hasToken: Bool) -> Bool {
    [(settings.tokenFile, SecretVariables.token), (settings.loginFile, SecretVariables.login)].contains {
      file, variable in
      file == nil && (hasToken || variable == SecretVariables.login)
        && (getenv(variable).map { $0.pointee != 0 } ?? false)
    }
  }

  /// Whether there is a secret that a server would get.
  /// - Parameter hasToken: Whether the server could get a token, too.
  static func areGiven(_ settings: ServerSettings, hasToken: Bool) -> Bool {
    settings.loginFile != nil || hasToken && settings.tokenFile != nil
      || areOfTheEnvironment(settings, hasToken: hasToken)
  }

  static func secret(_ file: String?, _ variable: String, _ option: String) throws(SluiceError) -> String? {
    guard let file else {
      guard let value = getenv(variable).map({ String(cString: $0) }), !value.isEmpty else { return nil }
      return try checked(value, "use the variable", variable)
    }
    try SecretFile.check(file, "read the file of \(option),")
    let bytes: [UInt8]
    // It may be a link, as the secrets of services often are.
    guard let path = realpath(file, nil) else { throw SluiceError("read the file of \(option),", file, errno: errno) }
    defer { free(path) }
    do throws(SystemErrno) { bytes = try SystemFiles().contents(of: String(cString: path), limit: 1 << 16) } catch {
      throw SluiceError("read the file of \(option),", file, errno: error.code)
    }
    return try checked(String(decoding: bytes, as: UTF8.self), "use the file of \(option),", file)
  }

  /// The secret without the end of its line. What is behind a line would be a header of its own.
  static func checked(_ text: String, _ action: String, _ object: String) throws(SluiceError) -> String {
    var text = text
    while let last = text.last, last.isWhitespace { text.removeLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw SluiceError(
        .malformed, action, object,
        because: text.isEmpty ? "it is empty" : "it has several lines, or characters that no secret has",
        remedy: "write the secret into it, and nothing else")
    }
    return text
  }
}
