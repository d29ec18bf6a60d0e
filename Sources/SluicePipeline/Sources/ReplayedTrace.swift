public import SluiceRecording

/// What a replay is made from, and what is known of it.
public struct ReplayedTrace: Hashable, Sendable {
  /// Nil for standard input, and for several traces.
  public var file: String?
  /// The paths of several merged traces, `-` for standard input; nil for one trace.
  public var files: [String]?
  /// Whether there was a file of metadata beside it.
  public var hasMetadata: Bool
  /// Of the recording, as its metadata says.
  public var state: TraceMetadata.State?
  /// Whether the metadata says how much of a loss would show.
  public var hasAccount = true
  /// Some rows were in the file before, and had no metadata.
  public var hasUndescribedRows = false
  /// What the values are; nil if nothing says so.
  public var values: TraceMetadata.Written?
  /// Errors of a source or a file, as recorded.
  public var errors: [String] = []
  /// How many parts of the recording are missing between others; nil if none is.
  public var missingParts: Int?
}

extension ReplayedTrace: Codable {
  private enum CodingKeys: String, CodingKey {
    case file, files
    case hasMetadata = "has_metadata"
    case state
    case hasAccount = "has_account"
    case hasUndescribedRows = "undescribed_rows"
    case values, errors
    case missingParts = "missing_parts"
  }
}

extension ReplayedTrace {
  package init(_ reader: TraceReader) {
    let metadata = reader.metadata
    self.init(
      file: reader.paths == ["-"] || reader.paths.count > 1 ? nil : reader.path,
      files: reader.paths.count > 1 ? reader.paths : nil, hasMetadata: metadata != nil,
      state: metadata?.isCutOff ?? false ? .unfinished : metadata?.state, hasAccount: metadata?.lossesShown != nil,
      hasUndescribedRows: metadata?.hasUndescribedRows ?? false, values: metadata?.values,
      errors: metadata?.errors ?? [],
      missingParts: metadata?.losses?.first { $0.reason == TraceMetadata.missingParts }?.count)
  }

  /// The name in a sentence.
  var name: String { files.map { OpenTrace.name($0) } ?? file ?? "standard input" }

  /// Why nobody knows what the recording missed; nil if its metadata says it.
  public var unknownLosses: String? {
    if !hasMetadata { return "there is no metadata that says what the recording missed" }
    if state == .unfinished { return "the recording was cut off, so that nobody knows what it missed" }
    if missingParts != nil { return "parts of the recording are missing, and nobody knows what they had" }
    if !hasAccount { return "some rows have no metadata that says what they missed" }
    return nil
  }
}
