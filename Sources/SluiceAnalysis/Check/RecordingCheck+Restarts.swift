import SluicePipeline
import SluiceRecording
import SluiceSystem

extension RecordingCheck {
  /// Reports the times between the runs of a file in which nothing was recorded. They are no damage.
  mutating func checkRestarts() {
    guard let text = rows.metadata?.restartText else { return }
    findings.append(.ok("restarts", "\(path): \(text)"))
  }

  /// Reports the totals, and whether they may be too small.
  mutating func checkTotals() {
    for text in rows.metadata?.totalTexts ?? [] { findings.append(.ok("totals", "\(path): \(text)")) }
  }

  /// The times between the runs of a recording in parts, by the metadata of the parts.
  static func restarts(of parts: RecordedParts) -> [Finding] {
    var restarts: TraceMetadata?
    var run: TraceMetadata.Run?
    for path in parts.paths {
      // A run that was killed before its first write recorded nothing.
      if fileSize(of: path) == 0, !MetadataFile(beside: path).exists { continue }
      guard let metadata = try? MetadataFile(beside: path).read() else {
        // The metadata of this part cannot be read. The run before may have gone on in it, so the end of that run is
        // unknown.
        run?.clocks?.ended = nil
        continue
      }
      if restarts == nil { restarts = metadata }
      if let restart = TraceMetadata.restart(from: run, to: metadata.runs.first, metadata.streams, .recorded) {
        restarts?.restarts.append(restart)
      }
      run = metadata.runs.last
    }
    return restarts?.restartText.map { [.ok("restarts", "\(parts.path): \($0)")] } ?? []
  }
}
