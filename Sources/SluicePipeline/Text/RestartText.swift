import SluiceReadings
package import SluiceRecording

extension TraceMetadata {
  /// `nothing was recorded for 6.1 s between 2 runs`; nil if there was no restart.
  package var restartText: String? {
    guard !restarts.isEmpty else { return nil }
    let lengths = restarts.compactMap { $0.length }
    let runs = "between \(grouped(restarts.count + 1)) runs"
    // The end of a run that was cut off is not known.
    guard !lengths.isEmpty else { return "nothing was recorded for an unknown time \(runs)" }
    let length = lengths.reduce(0.0) { $0 + Double($1) }
    return "nothing was recorded for \(lengths.count < restarts.count ? "at least " : "")\(spanText(length)) \(runs)"
  }
}
