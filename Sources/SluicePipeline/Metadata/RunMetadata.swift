import SluiceReadings
import SluiceRecording

/// The metadata files of one run: written when it begins, and again when it has ended.
///
/// A run that is killed leaves those of its beginning, which say that it is unfinished.
package struct RunMetadata {
  private let metadata: RecordingMetadata
  private let files: [OutputFiles.Described]

  package init(_ metadata: RecordingMetadata, _ files: [OutputFiles.Described]) {
    self.metadata = metadata
    self.files = files
  }

  /// Once the files are there.
  /// - Parameter report: What went wrong; readings are to be written all the same.
  /// - Returns: What takes the outcome, and the paths of files that have been removed since.
  package func begin(
    _ report: @escaping (SluiceError) -> Void
  ) -> (RecordingMetadata.Outcome, _ removed: [String]) -> Void {
    // What is no regular file, such as /dev/null or a pipe, gets no metadata file.
    let files = files.filter { $0.file.path != "-" && FileIdentity(path: $0.file.path)?.isRegular ?? false }
      .map { (output: $0, store: $0.metadata) }
    var earlier: [String: EarlierMetadata] = [:]
    var reported: Set<SluiceError> = []
    func attempt(_ body: () throws(SluiceError) -> Void) {
      do throws(SluiceError) { try body() } catch { if reported.insert(error).inserted { report(error) } }
    }
    for file in files {
      attempt { () throws(SluiceError) in
        earlier[file.output.file.path] = try file.store.begin(
          isAppending: file.output.existing == .append, hasRows: file.output.isAppended
        ) { metadata.document(of: file.output, nil, earlier: $0).lines() + "\n" }
      }
    }
    return { outcome, removed in
      let metadata = metadata.with(outcome.streams)
      for file in files {
        var output = file.output
        if removed.contains(output.file.path) {
          file.store.remove()
          continue
        }
        if output.file.streams == self.metadata.streams.indices { output.file.streams = outcome.streams.indices }
        attempt { () throws(SluiceError) in
          try file.store.end(
            metadata.document(of: output, outcome, earlier: earlier[output.file.path]).lines() + "\n")
        }
      }
    }
  }
}

extension RecordingMetadata {
  /// Of a run that begins.
  package init(
    _ sources: [Source], _ plan: RecordingPlan, arguments: [String], began: Instant = .now()
  ) {
    self.init(
      command: plan.replay == nil ? "record" : "replay", arguments: arguments, plan: plan,
      streams: sources.flatMap(\.streams),
      isWhole: sources.flatMap { source in source.streams.map { _ in source.isWhole } }, host: .current,
      version: SluicePipeline.version, began: began, trace: sources.lazy.compactMap(\.trace).first)
  }

  /// The same with streams that have come since.
  fileprivate func with(_ streams: [StreamDescription]) -> RecordingMetadata {
    var metadata = self
    metadata.streams = streams
    while metadata.isWhole.count < streams.count { metadata.isWhole.append(false) }
    return metadata
  }
}
