import SluiceReadings
import SluiceRecording

extension TraceMetadata {
  /// A sentence about the end of an unfinished recording: `the last run was killed`, and the number of bytes that a
  /// repair has cut off.
  package var unfinishedText: String {
    guard wasKilled else { return "the last run ended before everything was written" }
    let text = "the last run was killed"
    guard let repaired else { return text }
    let bytes = repaired.bytes == 1 ? "1 byte was" : "\(grouped(Int(clamping: repaired.bytes))) bytes were"
    let cut = repaired.bytes == 0 ? "every row was whole" : "\(bytes) cut off"
    return "\(text); repaired \(utcTime(repaired.time)): \(cut)"
  }
}
