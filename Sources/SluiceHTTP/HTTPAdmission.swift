/// Who may see what, and who may do what.
struct HTTPAdmission {
  var address: HTTPAddress
  var token: HTTPToken?
  /// The origins of other sites that may look, such as `https://app.example`.
  var origins: [String] = []
  /// Whether the recording may be controlled.
  var isControlled = false

  /// Cookies are the same for all ports of a machine, so the name has the port.
  var cookieName: String {
    if case .internet(_, let port) = address { "sluice-\(port)" } else { "sluice" }
  }

  /// Why a request is refused.
  struct Refusal: Equatable {
    var status: Int
    var sentence: String
  }

  /// Checks that a request comes from no other site. It needs no secret yet.
  func foreign(_ request: HTTPRequest) -> Refusal? {
    guard let host = request.host, !host.isEmpty else {
      return Refusal(status: 400, sentence: "the request names no host")
    }
    guard isAdmitted(host: host) else {
      return Refusal(
        status: 403,
        sentence: "the request is for \(host.prefix(80)), which is not where this listens: \(address); "
          + "use this address, or give --http-origin with that of the proxy or of ssh")
    }
    if let origin = request.origin, !isOwn(origin, host), !origins.contains(origin) {
      return Refusal(
        status: 403, sentence: "the request comes from \(origin), another site; --http-origin admits one")
    }
    return nil
  }

  /// Checks that a request has the secret if there is one.
  func unknown(_ request: HTTPRequest) -> Refusal? {
    guard token != nil, !hasSecret(request) else { return nil }
    return Refusal(status: 401, sentence: "this needs the token: Authorization: Bearer TOKEN")
  }

  /// Checks that a request may control the recording.
  func powerless(_ request: HTTPRequest) -> Refusal? {
    guard isControlled else {
      return Refusal(status: 403, sentence: "the recording can only be watched; --http-control lets it be controlled")
    }
    guard token != nil, hasSecret(request) else {
      return Refusal(status: 401, sentence: "this needs the token: Authorization: Bearer TOKEN")
    }
    return nil
  }

  func hasSecret(_ request: HTTPRequest) -> Bool {
    guard let token else { return false }
    if let authorization = request.authorization {
      let prefix = "Bearer "
      guard authorization.count > prefix.count,
        authorization.prefix(prefix.count).lowercased() == prefix.lowercased()
      else { return false }
      return token.isToken(String(authorization.dropFirst(prefix.count)))
    }
    return cookies(request).contains { token.isCookie($0) }
  }

  private func cookies(_ request: HTTPRequest) -> [Substring] {
    (request.cookie ?? "").split(separator: ";").compactMap { pair in
      let trimmed = pair.drop { $0 == " " }
      let prefix = cookieName + "="
      return trimmed.hasPrefix(prefix) ? trimmed.dropFirst(prefix.count) : nil
    }
  }

  /// Another name may lead to this machine because somebody else's name server says so (DNS rebinding). A page of such a
  /// name has no cookie of this one, so that a token keeps it out too.
  private func isAdmitted(host: String) -> Bool {
    if case .unix = address { return true }
    if token != nil { return true }
    if origins.contains(where: { $0 == "http://\(host)" || $0 == "https://\(host)" }) { return true }
    guard case .internet(_, let port) = address, let (name, own) = Self.parts(of: host), own == port else {
      return false
    }
    return name == "localhost" || HTTPAddress.isLiteral(name)
  }

  /// Behind a proxy for TLS, the page is one of https.
  private func isOwn(_ origin: String, _ host: String) -> Bool {
    let origin = origin.lowercased()
    return origin == "http://\(host.lowercased())" || origin == "https://\(host.lowercased())"
  }

  /// The name in a host, without the brackets of an IPv6 address, and its port.
  private static func parts(of host: String) -> (name: String, port: UInt16)? {
    var name = host[...]
    var rest = Substring()
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      (name, rest) = (host[host.index(after: host.startIndex)..<end], host[host.index(after: end)...])
    } else if let colon = host.firstIndex(of: ":") {
      (name, rest) = (host[..<colon], host[colon...])
    }
    guard !rest.isEmpty else { return (name.lowercased(), 80) }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = UInt16(digits) else {
      return nil
    }
    return (name.lowercased(), port)
  }

  /// Whether a text is an origin as browsers send it: a scheme and a host, and no path.
  static func isOrigin(_ text: String) -> Bool {
    for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
      let host = text.dropFirst(scheme.count)
      return !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]_".contains($0)) }
    }
    return false
  }
}
