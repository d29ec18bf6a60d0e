package import SluiceReadings
package import SluiceRecording
import SluiceStages
import SluiceSystem

/// The metadata files of one run. They are written when it begins, and again after its end.
///
/// A killed run leaves the first version, which says that the run is unfinished.
package struct RunMetadata {
  private let metadata: RecordingMetadata
  private let files: [OutputFiles.Described]

  package init(_ metadata: RecordingMetadata, _ files: [OutputFiles.Described]) {
    self.metadata = metadata
    self.files = files
  }

  /// Writes the first version, after the files were made.
  /// - Parameter report: Called with an error. The readings must be written even then.
  package func begin(_ report: @escaping (SluiceError) -> Void) -> BegunMetadata {
    BegunMetadata(metadata, files, report)
  }
}

/// The metadata files of a run that has begun. One thread at a time uses it.
package final class BegunMetadata {
  private var metadata: RecordingMetadata
  private let files: [(output: OutputFiles.Described, store: any MetadataStore)]
  private let report: (SluiceError) -> Void
  private var earlier: [ExactName: EarlierMetadata] = [:]
  /// The metadata files that were written. Other files may have the metadata of earlier runs, so they are written only
  /// at the end.
  private var begun: Set<ExactName> = []
  private var reported: Set<SluiceError> = []

  fileprivate init(
    _ metadata: RecordingMetadata, _ files: [OutputFiles.Described], _ report: @escaping (SluiceError) -> Void
  ) {
    self.metadata = metadata
    self.report = report
    // A file that is not regular, such as /dev/null or a pipe, has no metadata file.
    self.files = files.filter { $0.file.path != "-" && FileIdentity(path: $0.file.path)?.isRegular ?? false }
      .map { (output: $0, store: $0.metadata) }
    for file in self.files {
      attempt { () throws(SluiceError) in
        earlier[ExactName(file.output.file.path)] = try file.store.begin(
          isAppending: file.output.existing == .append, hasRows: file.output.isAppended
        ) { metadata.document(of: file.output, nil, earlier: $0).text }
        begun.insert(ExactName(file.output.file.path))
      }
    }
  }

  private func attempt(_ body: () throws(SluiceError) -> Void) {
    do throws(SluiceError) { try body() } catch { if reported.insert(error).inserted { report(error) } }
  }

  /// Writes the changes of the clock and the marks during the run, so that a run that is killed later has them too.
  /// - Parameters:
  ///   - changes: The changes so far; nil if there are no new ones.
  ///   - marks: The marks so far; nil if there are no new ones.
  /// - Returns: Whether all files have them. An error is not reported, because the write can be tried again, and the
  ///   end tries it.
  package func update(_ changes: ClockChanges? = nil, _ marks: [Mark]? = nil) -> Bool {
    if let changes { metadata.clockChanges = changes }
    if let marks { metadata.marks = marks }
    var isWritten = true
    for file in files where begun.contains(ExactName(file.output.file.path)) {
      let document = metadata.document(of: file.output, nil, earlier: earlier[ExactName(file.output.file.path)])
      do throws(SluiceError) { try file.store.update(document.text) } catch { isWritten = false }
    }
    return isWritten
  }

  /// Writes a plan that was changed during the run.
  /// - Returns: As for ``update(_:_:)``.
  package func update(plan: RecordingMetadata.WrittenPlan, _ changes: [RecordingMetadata.PlanChange]) -> Bool {
    (metadata.plan, metadata.planChanges) = (plan, changes)
    return update()
  }

  /// - Parameter removed: The paths of files that were removed in the meantime.
  package func end(_ outcome: RecordingMetadata.Outcome, _ changes: ClockChanges, removed: [String]) {
    var metadata = metadata.with(outcome.streams)
    metadata.clockChanges = changes
    for file in files {
      var output = file.output
      if removed.contains(output.file.path) {
        file.store.remove()
        continue
      }
      let (known, streams) = (self.metadata.streams[output.output], outcome.streams[output.output])
      if output.file.streams == known.indices { output.file.streams = streams.indices }
      let earlier = earlier[ExactName(output.file.path)]
      attempt { () throws(SluiceError) in
        try file.store.end(metadata.document(of: output, outcome, earlier: earlier).text) {
          metadata.document(of: output, outcome.withoutTimes, earlier: earlier).text
        }
      }
    }
  }
}

extension RecordingMetadata {
  /// Makes the metadata of a run that begins.
  package init(
    _ input: PipelineInput, _ written: [[StreamDescription]], _ plan: RecordingPlan,
    _ command: Account.Command = .record, arguments: [String],
    began: Instant = .now()
  ) {
    let received = input.streams.known
    self.init(
      command: command.rawValue, arguments: arguments, plan: WrittenPlan(plan), streams: written,
      isWhole: written.map { Self.isWhole($0, received, input.isWhole) }, host: .current,
      version: SluicePipeline.version, began: began, trace: input.replay?.trace,
      restarts: input.replay?.restarts ?? [], marks: input.replay?.marks ?? [])
  }

  /// By stream, whether its values are whole numbers. If a stage has changed a description, they may have any decimals.
  static func isWhole(_ written: [StreamDescription], _ received: [StreamDescription], _ whole: [Bool]) -> [Bool] {
    zip(written, zip(received, whole)).map { $1.1 && $1.0 == $0 }
  }

  /// The same metadata with all streams known so far.
  func with(_ streams: [[StreamDescription]]) -> RecordingMetadata {
    var metadata = self
    metadata.streams = streams
    for (output, streams) in streams.enumerated() {
      // An output that came later has metadata of its own.
      while metadata.isWhole.count <= output { metadata.isWhole.append([]) }
      while metadata.isWhole[output].count < streams.count { metadata.isWhole[output].append(false) }
    }
    return metadata
  }
}
