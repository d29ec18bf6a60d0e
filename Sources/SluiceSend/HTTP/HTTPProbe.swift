package import SluiceReadings
package import SluiceRecording

/// What a server of line protocol says about itself, and whether it lets this board write. Nothing is stored, unless a
/// marked point is asked for.
package struct HTTPProbe {
  package enum Kind: Equatable, Sendable { case influx(version: String), victoriaMetrics, other }

  package let address: HTTPServerAddress
  /// The answer to a question that needs no permission: `/ping`, or `/health`.
  package let greeting: HTTPAnswer
  package let kind: Kind
  /// The answer to a request to write no reading, or the marked point; nil if the server does not answer at all.
  package let permission: HTTPAnswer?
  /// The library, with its version.
  package let library: String

  /// - Parameter point: The name of this board, if a marked point is to be written: `sluice_probe,board=NAME probe=1i`.
  package init(_ text: String, _ settings: ServerSettings, point board: String?, at time: Int64) throws(SluiceError) {
    address = try HTTPServerAddress(text)
    let client = try HTTPClient(address, settings)
    library = HTTPClient.library.split(separator: " ").prefix(2).joined(separator: " ")
    var greeting = try client.answer(address.origin + "/ping", nil)
    if greeting.failure == nil, greeting.status == 404 { greeting = try client.answer(address.origin + "/health", nil) }
    self.greeting = greeting
    guard greeting.failure == nil else {
      (kind, permission) = (.other, nil)
      return
    }
    // VictoriaMetrics answers like InfluxDB 1, with a version of its own invention; its metrics have its name.
    let metrics = try client.answer(address.origin + "/metrics", nil)
    if metrics.status == 200, metrics.body.contains("vm_") {
      kind = .victoriaMetrics
    } else {
      kind = greeting.version.isEmpty ? .other : .influx(version: greeting.version)
    }
    let lines = board.map { Self.point($0, time) } ?? []
    let url = address.url
    let result = lines.withUnsafeBytes { bytes in
      Result { () throws(SluiceError) in try client.answer(url, bytes, headers: ["Content-Type: text/plain"]) }
    }
    permission = try result.get()
  }

  private static func point(_ board: String, _ time: Int64) -> [UInt8] {
    let plain = board.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
    return Array("sluice_probe\(plain.isEmpty ? "" : ",board=\(plain)") probe=1i \(time)\n".utf8)
  }

  /// The error of the greeting or of the request to write; nil if this board may write.
  package var fault: SluiceError? {
    let answer = permission ?? greeting
    switch answer.meaning(for: address) {
    case .acknowledged: return nil
    // It was asked to write nothing, or only a point; what it refuses is not the permission.
    case .refused(let error): return isOfDatabase(answer) ? error : nil
    case .tooLarge(let error), .wait(let error, _), .stop(let error): return error
    }
  }

  private func isOfDatabase(_ answer: HTTPAnswer) -> Bool {
    let body = answer.body.lowercased()
    return ["database", "bucket", "org", "precision"].contains { body.contains($0) }
  }

  /// What the acknowledgement of this server is worth. Only what was measured is said.
  package var worth: String {
    switch kind {
    case .influx(let version) where version.hasPrefix("1."):
      "it syncs each write before it answers, unless wal-fsync-delay is set"
    case .victoriaMetrics:
      "it answers before it has written: if it is killed, some seconds are lost, and sluice resend sends them again; it keeps "
        + "milliseconds"
    case .influx, .other: "what it is worth if the server is killed is not known; sluice resend sends readings again"
    }
  }
}
