import SluiceRecording

/// What a replay is made from, and what is known of it.
package struct ReplayedTrace: Hashable {
  /// Nil for standard input.
  package var file: String?
  package var hasMetadata: Bool
  /// Of the recording, as its metadata says.
  package var state: TraceMetadata.State?
  /// Whether the metadata says how much of a loss would show.
  package var hasAccount = true
  /// Some rows were in the file before, and had no metadata.
  package var hasUndescribedRows = false
  /// What the values are; nil if nothing says so.
  package var values: TraceMetadata.Written?
  /// Errors of a source or a file, as recorded.
  package var errors: [String] = []
}

extension ReplayedTrace {
  package init(_ reader: TraceReader) {
    let metadata = reader.metadata
    self.init(
      file: reader.path == "-" ? nil : reader.path, hasMetadata: metadata != nil,
      state: metadata?.isCutOff ?? false ? .unfinished : metadata?.state, hasAccount: metadata?.lossesShown != nil,
      hasUndescribedRows: metadata?.hasUndescribedRows ?? false, values: metadata?.values,
      errors: metadata?.errors ?? [])
  }

  /// Why nobody knows what the recording missed; nil if its metadata says it.
  package var unknownLosses: String? {
    if !hasMetadata { return "there is no metadata that says what the recording missed" }
    if state == .unfinished { return "the recording was cut off, so that nobody knows what it missed" }
    if !hasAccount { return "some rows have no metadata that says what they missed" }
    return nil
  }
}
