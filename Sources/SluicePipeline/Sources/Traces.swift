package import SluiceRecording

#if SLUICE_SQLITE
  import SluiceSQLite
#endif

/// Every kind of trace that there is, in the order in which they are tried.
package enum Traces {
  #if SLUICE_SQLITE
    package static let all: [any TraceKind.Type] = [SQLiteTraceKind.self] + TraceKinds.all
  #else
    package static let all: [any TraceKind.Type] = TraceKinds.all
  #endif
}
