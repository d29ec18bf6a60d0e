import SluiceReadings
import SluiceRecording

/// The metadata files of one run: written when it begins, and again when it has ended.
///
/// A run that is killed leaves those of its beginning, which say that it is unfinished.
package struct RunMetadata {
  private let metadata: RecordingMetadata
  private let tables: [CSVTable]
  /// The paths of files that had rows before.
  private let appended: Set<String>
  private let existing: ExistingFile

  /// - Parameters:
  ///   - tables: The CSV files.
  ///   - appended: The paths of those that had rows before.
  package init(_ metadata: RecordingMetadata, _ tables: [CSVTable], _ existing: ExistingFile, appended: Set<String>) {
    self.metadata = metadata
    self.tables = tables
    self.existing = existing
    self.appended = appended
  }

  /// Once the CSV files are there.
  /// - Parameter report: What went wrong; readings are to be written all the same.
  /// - Returns: What takes the outcome, and the paths of CSV files that have been removed since.
  package func begin(
    _ report: @escaping (SluiceError) -> Void
  ) -> (RecordingMetadata.Outcome, _ removed: [String]) -> Void {
    // What is no regular file, such as /dev/null or a pipe, gets no metadata file.
    let tables = tables.filter { $0.path != "-" && FileIdentity(path: $0.path)?.isRegular ?? false }
    var earlier: [String: RecordingMetadata.Earlier] = [:]
    var reported: Set<SluiceError> = []
    func attempt(_ body: () throws(SluiceError) -> Void) {
      do throws(SluiceError) { try body() } catch { if reported.insert(error).inserted { report(error) } }
    }
    for table in tables {
      let file = MetadataFile(beside: table.path)
      attempt { () throws(SluiceError) in
        let kept = existing == .append && file.exists ? file.nextName : nil
        earlier[table.path] = appended.contains(table.path) ? file.earlier(kept: kept) : nil
        try file.write(metadata.document(of: table, nil, earlier: earlier[table.path]), keeping: kept)
      }
    }
    return { outcome, removed in
      let metadata = metadata.with(outcome.streams)
      for var table in tables {
        let file = MetadataFile(beside: table.path)
        if removed.contains(table.path) {
          file.remove()
          continue
        }
        if table.streams == self.metadata.streams.indices { table.streams = outcome.streams.indices }
        attempt { () throws(SluiceError) in
          try file.write(metadata.document(of: table, outcome, earlier: earlier[table.path]))
        }
      }
    }
  }
}

extension RecordingMetadata {
  /// Of what this command line asked for.
  package init(
    _ sources: [Source], _ stages: [any PipelineStage], _ output: Output, command: String,
    trace: ReplayedTrace? = nil, began: Instant = .now(), notes: [Note] = []
  ) {
    self.init(
      command: command, arguments: Array(CommandLine.arguments.dropFirst(2)), stages: stages, raw: output.raw,
      streams: sources.flatMap(\.streams),
      isWhole: sources.flatMap { source in source.streams.map { _ in source.isWhole } }, host: .current,
      version: SluicePipeline.version, began: began, trace: trace)
    self.notes = notes
  }

  /// The same with streams that have come since.
  fileprivate func with(_ streams: [StreamDescription]) -> RecordingMetadata {
    var metadata = self
    metadata.streams = streams
    while metadata.isWhole.count < streams.count { metadata.isWhole.append(false) }
    return metadata
  }
}
