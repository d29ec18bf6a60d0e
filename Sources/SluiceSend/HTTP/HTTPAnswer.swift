import CCurl
package import SluiceReadings

/// The answer of a server to a request, or the error that came instead.
package struct HTTPAnswer: Equatable, Sendable {
  package enum Failure: Equatable, Sendable {
    case name, connection, timeout, certificate, ownCertificate, authorities, tls, ended, other
  }

  package var status = 0
  /// Nil if there was an answer.
  package var failure: Failure?
  /// The words of the library for the failure.
  package var words = ""
  /// What OpenSSL says about the certificate; 0 for nothing.
  package var verification = 0
  /// The beginning of the body.
  package var body = ""
  package var retryAfter = 0
  package var location = ""
  package var server = ""
  package var version = ""
  package var ip = ""

  package init() {}

  /// What the answer means for a batch.
  package func meaning(for address: HTTPServerAddress) -> SendAnswer {
    if let failure { return .wait(self.error(failure, address)) }
    let wait = retryAfter > 0 ? Int64(retryAfter) * 1_000_000_000 : nil
    func error(_ code: SluiceError.Code, _ cause: String, _ remedy: String? = nil) -> SluiceError {
      SluiceError(code, "send to", address.text, because: cause + said, remedy: remedy)
    }
    switch status {
    // All servers of line protocol answer 204, or nothing at all. A text is of a proxy, or of the page that asks for a login.
    case 204: return .acknowledged()
    case 200...299 where body.allSatisfy(\.isWhitespace): return .acknowledged()
    case 200...299:
      return .wait(
        error(
          .failed, "a server of line protocol answers nothing to readings, and this answers a text (\(status))",
          "see whether the address is right, and whether a proxy, or a network that asks for a login, is between"),
        atLeast: wait)
    case 300...399:
      return .wait(
        error(
          .failed,
          "the server says that this is elsewhere (\(status)\(location.isEmpty ? "" : ": \(location)")), and readings "
            + "go to no other place than the one that was given", "give that address, if it is right"))
    // 422 is InfluxDB 2's answer to a field of another type.
    case 400, 422:
      guard isOfRequest else { return .refused(error(.malformed, "the server refuses the reading (\(status))")) }
      return .wait(
        error(
          .failed, "the server refuses the request, whatever is in it (\(status))",
          "see whether the address has the right database, organisation or bucket, and http or https"), atLeast: wait)
    case 401:
      return .wait(
        error(
          .permissionDenied, "the server does not know who sends (401)",
          "give --server token-file=FILE or login-file=FILE, or see whether the token is right and has not expired"),
        atLeast: wait)
    case 403:
      return .wait(
        error(
          .permissionDenied, "the server does not let this board write there (403)",
          "let its token or user write, or give another one"), atLeast: wait)
    case 404:
      return .wait(
        error(
          .notFound, "the server does not have this database, or this path (404)",
          "make the database, or correct the address"), atLeast: wait)
    case 413: return .tooLarge(error(.malformed, "so many readings are too much for it (413)"))
    case 429: return .wait(error(.busy, "the server asks to wait (429)"), atLeast: wait)
    case 500...599: return .wait(error(.busy, "the server takes no readings now (\(status))"), atLeast: wait)
    default:
      return .wait(error(.failed, "the server answers \(status)", "see whether the address is right"), atLeast: wait)
    }
  }

  /// Whether a refusal is of the request, and would be the same for any reading. If nobody knows, the answers to other
  /// readings show it.
  private var isOfRequest: Bool {
    let text = body.lowercased()
    return !Self.wordsOfLines.contains { text.contains($0) } && Self.wordsOfRequests.contains { text.contains($0) }
  }

  // InfluxDB 1 and 2: "partial write: field type conflict: …", "partial write: points beyond retention policy dropped=1",
  // "unable to parse 'm a=': missing field value". InfluxDB 3: "partial write of line protocol occurred", "parsing failed for
  // write_lp endpoint". Telegraf: "metric parse error: …".
  private static let wordsOfLines = [
    "partial write", "unable to parse", "type conflict", "parse error", "parsing failed", "error_message",
  ]

  // InfluxDB 1: "database is required", "gzip: invalid header", "invalid consistency level", "missing required parameter".
  // InfluxDB 2 and 3: "invalid precision; …", "bucket … not found", "missing query parameters". Telegraf: "time precision 'm' is
  // not supported". VictoriaMetrics: "unsupported path requested". Servers of TLS: "Client sent an HTTP request to an HTTPS
  // server.", or a page.
  private static let wordsOfRequests = [
    "database", "precision", "gzip", "consistency", "parameter", "bucket", "organization", "org ", "unsupported path",
    "https", "<html", "<!doctype",
  ]

  /// What the server says, as a part of a sentence.
  private var said: String {
    let line = body.split { $0.isNewline }.first.map(String.init) ?? ""
    let text = String(
      line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(200).map(Character.init))
    return text.isEmpty ? "" : ": \(text)"
  }

  /// The sentence for a failure.
  package func error(_ failure: Failure, _ address: HTTPServerAddress) -> SluiceError {
    func error(_ code: SluiceError.Code, _ cause: String, _ remedy: String? = nil) -> SluiceError {
      SluiceError(code, "send to", address.text, because: cause, remedy: remedy)
    }
    switch failure {
    case .name:
      return error(.notFound, "nobody knows the name \(address.host)", "see whether it is right, and DNS there")
    case .connection:
      return error(.disconnected, "there is no connection to \(address.host), port \(address.port) (\(words))")
    case .timeout: return error(.disconnected, "there is no answer in time (\(words))")
    case .certificate: return error(.permissionDenied, certificateCause(address), certificateRemedy)
    case .ownCertificate:
      return error(
        .permissionDenied, "the certificate of this board cannot be used (\(words))",
        "see the files of --server cert= and key=")
    case .authorities: return error(.notFound, "the file of --server ca= cannot be used (\(words))")
    case .tls:
      return error(
        .disconnected, "TLS does not begin (\(words))", "see whether the server speaks TLS 1.2 or newer there")
    case .ended: return error(.interrupted, "it was ended")
    case .other: return error(.disconnected, "the connection failed (\(words))")
    }
  }

  // The numbers are those of OpenSSL's x509_vfy.h; another library says 0, and has words.
  private func certificateCause(_ address: HTTPServerAddress) -> String {
    switch verification {
    case 10: "the certificate of the server has expired"
    case 9: "the certificate of the server is not valid yet"
    case 18, 19, 20, 21: "no authority that this board knows has signed the certificate of the server"
    default:
      isOfAnotherName
        ? "the certificate of the server is for another name than \(address.host)"
        : words.lowercased().contains("expired")
          ? "the certificate of the server has expired" : "the certificate of the server is not right (\(words))"
    }
  }

  private var isOfAnotherName: Bool {
    verification == 62 || words.contains("subject name") || words.contains("host name") || words.contains("hostname")
  }

  private var certificateRemedy: String {
    switch verification {
    case 9: "see whether the clock of this board is right"
    case 18, 19, 20, 21: "give the certificate of its authority: --server ca=FILE"
    default: isOfAnotherName ? "write the name that is in the certificate" : "get the server a new one"
    }
  }
}

extension HTTPAnswer {
  init(_ answer: ccurl_answer) {
    self.init()
    var answer = answer
    func text<Field>(_ field: inout Field) -> String {
      withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    status = answer.status
    verification = answer.verification
    retryAfter = max(0, answer.retry_after)
    (words, location, server) = (text(&answer.error), text(&answer.location), text(&answer.server))
    (version, ip, body) = (text(&answer.version), text(&answer.address), text(&answer.body))
    switch answer.code {
    case 0: failure = nil
    case ccurl_name_error: failure = .name
    case ccurl_connect_error: failure = .connection
    case ccurl_timeout: failure = .timeout
    case ccurl_certificate_error: failure = .certificate
    case ccurl_own_certificate_error: failure = .ownCertificate
    case ccurl_authorities_error: failure = .authorities
    case ccurl_tls_error: failure = .tls
    case ccurl_aborted: failure = .ended
    default: failure = .other
    }
  }
}
