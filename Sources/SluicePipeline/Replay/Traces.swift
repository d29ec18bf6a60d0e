import SluiceMCAP
package import SluiceRecording

#if SLUICE_ARCHIVE
  import SluiceArchive
#endif
#if SLUICE_SQLITE
  import SluiceSQLite
#endif

/// The registry of all kinds of traces, in the order in which they are tried.
package enum Traces {
  package static var all: [any TraceKind.Type] {
    [SpreadsheetTrace.self] + databases + sessions + [SpillTrace.self, MCAPTraceKind.self] + TraceKinds.all
  }

  /// The repairs of formats that are no text.
  package static let repairs: [any FormatRepair.Type] = [MCAPRepair.self]

  /// The kinds of files that have an index of all their readings.
  package static let indexes: [any IndexedTrace.Type] = [MCAPIndex.self]

  /// The endings of the file names, without the first dot: `csv`, `csv.gz`.
  package static var extensions: [String] { fileEndings(all, Compressions.all).map { String($0.dropFirst()) } }

  #if SLUICE_SQLITE
    private static let databases: [any TraceKind.Type] = [SQLiteTraceKind.self]
  #else
    private static let databases: [any TraceKind.Type] = []
  #endif

  #if SLUICE_ARCHIVE
    private static let sessions: [any TraceKind.Type] = [SigrokTraceKind.self]
    /// The versions of libarchive, zlib and libzstd; nil if this build does not have them.
    package static var archiveVersion: String? { ArchiveLibraries.version }
  #else
    private static let sessions: [any TraceKind.Type] = [LeftOutArchives.self]
    package static var archiveVersion: String? { nil }
  #endif
}
