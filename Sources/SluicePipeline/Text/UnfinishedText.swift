import SluiceReadings
import SluiceRecording

extension TraceMetadata {
  /// How the last run of an unfinished recording ended: `the last run was killed`, and how much a repair has cut off.
  package var unfinishedText: String {
    guard wasKilled else { return "the last run ended before everything was written" }
    let text = "the last run was killed"
    guard let repaired else { return text }
    let bytes = repaired.bytes == 1 ? "1 byte was" : "\(grouped(Int(clamping: repaired.bytes))) bytes were"
    let cut = repaired.bytes == 0 ? "every row was whole" : "\(bytes) cut off"
    return "\(text); repaired \(utcTime(repaired.time)): \(cut)"
  }
}
