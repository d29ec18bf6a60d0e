package import SluiceRecording

/// The registry of all kinds of traces, in the order in which they are tried.
package enum Traces {
  package static var all: [any TraceKind.Type] {
    [SpreadsheetTrace.self] + LinkedKinds.all.traces + [SpillTrace.self] + TraceKinds.all
  }

  /// The repairs of formats that are no text.
  package static var repairs: [any FormatRepair.Type] { LinkedKinds.all.repairs }

  /// The kinds of files that have an index of all their readings.
  package static var indexes: [any IndexedTrace.Type] { LinkedKinds.all.indexes }

  /// The endings of the file names, without the first dot: `csv`, `csv.gz`.
  package static var extensions: [String] { fileEndings(all, Compressions.all).map { String($0.dropFirst()) } }
}
