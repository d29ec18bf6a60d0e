import CKinds
package import SluiceRecording

/// The formats, traces, compressions and outputs in modules that need a library, or that are much code of their own:
/// MCAP, SQLite, sigrok, gzip and zstd, servers.
///
/// `SluicePipeline` does not depend on these modules, so they are compiled beside it, and a change of one of them compiles
/// little else. The module `SluiceFormats` depends on them all and has the list. A program that is linked with
/// `SluiceFormats` has these kinds; it need not call anything. The products `SluicePipeline` and `SluiceTool` include it.
package struct LinkedKinds: Sendable {
  package var formats: [any RecordingFormat.Type] = []
  package var outputs: [any OutputKind.Type] = []
  /// In the order in which they are tried.
  package var traces: [any TraceKind.Type] = []
  package var repairs: [any FormatRepair.Type] = []
  package var indexes: [any IndexedTrace.Type] = []
  package var compressions: [any Compression.Type] = []
  /// Makes a compressor for what is sent to servers; nil if this build has none.
  package var sendingCompressor: (@Sendable () -> any Compressor)?

  package init() {}

  package static let all: Self = {
    var kinds = Self()
    withUnsafeMutablePointer(to: &kinds) { ckinds_fill($0) }
    return kinds
  }()
}
