import SluiceReadings

extension TraceMetadata {
  /// The repair of a file after its run was killed.
  package struct Repair: Hashable, Sendable, Codable {
    /// The time of the repair.
    package var time: Int64
    /// The number of bytes that were cut off after the last whole row.
    package var bytes: Int64

    private enum CodingKeys: String, CodingKey {
      case time = "at_ns"
      case bytes = "cut_bytes"
    }
  }

  /// Whether the last run was killed: it has not written its end.
  package var wasKilled: Bool { state == .unfinished && runs.last?.clocks?.ended == nil }
}

extension MetadataFile {
  /// Says in the metadata of a part that had ended and was cut back that its run was killed in this part, because the
  /// part no longer has all readings that its account counts.
  func forgetEnd() throws(SluiceError) {
    guard let (bytes, metadata) = try? document(), metadata.state == .finished else { return }
    var document = try MetadataDocument(bytes, path: path)
    (document.state, document.ledger) = (TraceMetadata.State.unfinished.rawValue, nil)
    document.clocks?.ended = nil
    try write(document.text)
  }

  /// Adds to the metadata of a run that was killed that its file was repaired. The run stays unfinished, because nobody
  /// knows what it missed.
  func add(_ repair: TraceMetadata.Repair) throws(SluiceError) {
    guard let (bytes, metadata) = try? document(), metadata.wasKilled, metadata.repaired == nil else { return }
    var addition = MetadataDocument()
    addition.repaired = repair
    let member = addition.json.text.dropFirst().dropLast()
    let text = String(decoding: bytes, as: UTF8.self)
    guard let brace = text.lastIndex(of: "}") else { return }
    let members = text[..<brace].reversed().drop { $0.isWhitespace }.reversed()
    try write(String(members) + ",\n  \(member)\n}\n")
  }
}
