import SluiceReadings
public import SluiceRecording

/// The trace of a replay, and the facts from its metadata.
public struct ReplayedTrace: Hashable, Sendable {
  /// The path of the trace; nil for standard input, and for several traces.
  public var file: String?
  /// The paths of several merged traces, `-` for standard input; nil for one trace.
  public var files: [String]?
  /// Whether the trace has a metadata file.
  public var hasMetadata: Bool
  /// The state of the recording, by its metadata.
  public var state: TraceMetadata.State?
  /// Whether the metadata says that none, some or all of the losses would show.
  public var hasAccount = true
  /// Whether the file had earlier rows without metadata.
  public var hasUndescribedRows = false
  /// How the values were written; nil if it is not known.
  public var values: TraceMetadata.Written?
  /// The recorded errors of sources and files.
  public var errors: [String] = []
  /// The number of parts that are missing between other parts; nil if there is none.
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

  /// The reason why the losses of the recording are not known; nil if its metadata has them.
  public var unknownLosses: String? {
    if !hasMetadata { return "there is no metadata that says what the recording missed" }
    if state == .unfinished { return "the recording was cut off, so that nobody knows what it missed" }
    if missingParts != nil { return "parts of the recording are missing, and nobody knows what they had" }
    if !hasAccount { return "some rows have no metadata that says what they missed" }
    return nil
  }
}
