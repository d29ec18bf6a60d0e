package import SluiceReadings

/// The address to which readings are sent: `http://HOST/write?db=NAME`.
package struct HTTPServerAddress: Equatable, Sendable {
  /// What the server understands, by the path.
  package enum Dialect: Equatable, Sendable {
    /// `/write` of InfluxDB 1, VictoriaMetrics and Telegraf.
    case influx1
    /// `/api/v2/write`
    case influx2
    /// `/api/v3/write_lp`
    case influx3
    case other
  }

  /// As it was given.
  package let text: String
  package let isEncrypted: Bool
  package let host: String
  package let port: Int
  package let path: String
  /// Without the question mark; empty if there is none.
  package let query: String

  package static func isAddress(_ text: String) -> Bool {
    let scheme = text.prefix(8).lowercased()
    return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
  }

  /// - Parameter mayHaveSecrets: Whether it stands in a spool: one of 0.1.0 took more addresses.
  /// - Throws: If it cannot be right: another scheme, a password, no path, a precision that is not nanoseconds.
  package init(_ text: String, mayHaveSecrets: Bool = false) throws(SluiceError) {
    self.text = text
    isEncrypted = text.prefix(8).lowercased() == "https://"
    // The error may be shown, so it has no password.
    func fault(_ cause: String, _ remedy: String, _ shown: String? = nil) -> SluiceError {
      SluiceError(.usage, "send to", shown ?? Self.withoutSecrets(text), because: cause, remedy: remedy)
    }
    // A spool may have any text. Without this, the beginning of another one would be dropped, but libcurl would see it.
    guard Self.isAddress(text) else {
      throw fault("it does not begin with http:// or https://", "write http://HOST:PORT/write?db=NAME")
    }
    let rest = text.dropFirst(isEncrypted ? 8 : 7)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let (authority, location) = (rest[..<end], rest[end...])
    let scheme = isEncrypted ? "https://" : "http://"
    let way =
      "leave it out, and give --server token-file=FILE or login-file=FILE, or the variable SLUICE_TOKEN or SLUICE_LOGIN"
    if let sign = authority.lastIndex(of: "@") {
      throw fault(
        "an address with a password would be in the list of processes, in plans and in messages", way,
        "\(scheme)…@\(authority[authority.index(after: sign)...])")
    }
    guard let (host, port) = Self.split(authority, standard: isEncrypted ? 443 : 80) else {
      throw fault("it has no host, or no right port", "write http://HOST:PORT/write?db=NAME")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw fault("it has a space, or a character that is not ASCII", "write such a character as %20")
    }
    guard !Self.isStrangeNumber(host) else { throw fault(Self.strangeNumber, Self.plainNumber) }
    guard !location.contains("#") else { throw fault("it has a #", "leave out the # and what is behind it") }
    let sign = location.firstIndex(of: "?") ?? location.endIndex
    (self.host, self.port, path) = (host, port, String(location[..<sign]))
    query = String(location[sign...].dropFirst())
    for parameter in Self.parameters(location).map({ $0.split(separator: "=", maxSplits: 1) }) {
      let name = parameter.first.map(String.init) ?? ""
      if Self.isSecret(name), !mayHaveSecrets {
        throw fault(
          "an address with the secret \(name)= would be in the list of processes, in plans and in messages", way)
      }
      if name == "precision", let value = parameter.last, parameter.count == 2,
        !["n", "ns", "nanosecond"].contains(String(value))
      {
        throw fault("times are sent in nanoseconds, and it says precision=\(value)", "leave out precision")
      }
    }
    if path.isEmpty || path == "/" {
      throw fault(
        "it does not say where the server takes readings",
        "write \(scheme)\(authority)/write?db=NAME for InfluxDB 1 and VictoriaMetrics, "
          + "/api/v2/write?org=ORG&bucket=NAME for InfluxDB 2, /api/v3/write_lp?db=NAME for InfluxDB 3")
    }
  }

  /// The parameters behind a path. Some servers take a semicolon for the sign between two parameters, also in the path.
  private static func parameters(_ location: Substring) -> [Substring] {
    location.drop { !"?;".contains($0) }.dropFirst().split(omittingEmptySubsequences: false) { "?&;".contains($0) }
  }

  /// The text with `%70` and the like replaced by their characters.
  private static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let escaped = byte == UInt8(ascii: "%") ? UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) : nil
      if escaped != nil { rest = rest.dropFirst(2) }
      bytes.append(escaped ?? byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a parameter of this name is a secret. Only the letters of the name count, so `api_key` and `apikey` are the
  /// same.
  private static func isSecret(_ name: some StringProtocol) -> Bool {
    let letters = decoded(name).lowercased().filter(\.isLetter)
    return secretNames.contains(letters) || secretParts.contains { letters.contains($0) }
  }

  /// The names that may be those of a secret.
  private static let secretNames: Set = [
    "u", "p", "user", "pass", "pwd", "pw", "login", "auth", "code", "pin", "otp", "sid", "sig", "hmac", "jwt", "key",
  ]
  /// What is a part of such names: `X-Amz-Signature`, `session_id`.
  private static let secretParts = [
    "username", "password", "passphrase", "passwd", "passcode", "token", "bearer", "secret", "credential", "session",
    "sessid", "signature", "authorization", "authcode", "accesscode", "cookie", "apikey", "accesskey", "authkey",
    "privatekey", "sharedkey", "subscriptionkey", "functionskey",
  ]

  /// An address that is not right, for a message: without what may be a password, wherever it ends.
  static func withoutSecrets(_ text: String) -> String {
    var shown = text
    let rest = shown.drop { $0 != "/" }.drop { $0 == "/" }
    if let sign = rest.lastIndex(of: "@") { shown.replaceSubrange(rest.startIndex..<sign, with: "…") }
    // An address with a # is refused, so nothing behind it is needed in a message.
    if let sign = shown.firstIndex(of: "#") { shown.replaceSubrange(sign..., with: "#…") }
    guard let mark = shown.firstIndex(where: { "?;".contains($0) }) else { return shown }
    return shown[...mark]
      + parameters(shown[mark...]).map { parameter in
        let name = parameter.prefix { $0 != "=" }
        return isSecret(name) ? "\(name)=…" : String(parameter)
      }.joined(separator: "&")
  }

  /// Whether this is the server with a name: its host, or its host and port, perhaps with `http://` or `https://` before it.
  func isCalled(_ name: String) -> Bool { Self.isCalled(name, isEncrypted ? "https://" : "http://", host, port) }

  static func isCalled(_ name: String, _ scheme: String, _ host: String, _ port: Int) -> Bool {
    let name = name.lowercased()
    let rest = name.hasPrefix(scheme) ? String(name.dropFirst(scheme.count)) : name
    let host = (host.contains(":") ? "[\(host)]" : host).lowercased()
    return rest == host || rest == "\(host):\(port)"
  }

  /// Whether a host is this machine, so that nobody else sees what is sent to it.
  static func isHere(_ host: String) -> Bool {
    host.lowercased() == "localhost" || host == "::1" || host.hasPrefix("127.") && isPlainNumber(host)
  }

  /// Whether a host is four decimal numbers, written in the one way that all programs read alike.
  private static func isPlainNumber(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { "\($0)" == part } ?? false }
  }

  /// Whether a host is a number in another notation. For inet_aton(3), and so for libcurl and libmosquitto, 0127.0.0.1 is
  /// 87.0.0.1, and 0x57.1 is, too. So it is not the server that a user sees in it.
  static func isStrangeNumber(_ host: String) -> Bool {
    guard !isPlainNumber(host) else { return false }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      let isHexadecimal = part.lowercased().hasPrefix("0x")
      let digits = isHexadecimal ? part.dropFirst(2) : part
      return (isHexadecimal || !part.isEmpty) && digits.allSatisfy { isHexadecimal ? $0.isHexDigit : $0.isNumber }
    }
  }

  static let strangeNumber = "its host is a number that is not four decimal numbers, and programs read it differently"
  static let plainNumber = "write it as in 192.168.1.7, without zeros in front"

  /// The host and the port of `HOST:PORT`; nil if it cannot be right.
  static func split(_ authority: Substring, standard: Int) -> (String, Int)? {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      let behind = authority[authority.index(after: end)...]
      guard behind.isEmpty || behind.hasPrefix(":") else { return nil }
      port = behind.isEmpty ? nil : behind.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
    }
    guard !host.isEmpty else { return nil }
    guard let port else { return (String(host), standard) }
    guard let number = Int(port), 1...65_535 ~= number else { return nil }
    return (String(host), number)
  }

  package var dialect: Dialect {
    if path.hasSuffix("/api/v2/write") { return .influx2 }
    if path.hasSuffix("/api/v3/write_lp") { return .influx3 }
    return path.hasSuffix("/write") ? .influx1 : .other
  }

  /// The address of each request. Without a precision, InfluxDB 3 guesses one from the number of digits.
  package var url: String {
    guard dialect == .influx3, !query.split(separator: "&").contains(where: { $0.hasPrefix("precision=") }) else {
      return text
    }
    return text + (query.isEmpty ? (text.hasSuffix("?") ? "" : "?") : "&") + "precision=nanosecond"
  }

  /// The server without a path: `https://HOST:PORT`.
  package var origin: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(isEncrypted ? "https" : "http")://\(name):\(port)"
  }
}
