import SluiceReadings
import SluiceRecording

/// Checks whether the wall clock is good enough to begin, so that `--max-clock-error` can apply.
enum MaxClockError {
  /// - Throws: If the clock is not synchronised, or may be wrong by more than the limit.
  static func check(_ limit: TimeSpan, _ quality: TraceMetadata.ClockQuality?) throws(SluiceError) {
    func refused(_ cause: String, _ remedy: String) -> SluiceError {
      SluiceError(.failed, "keep", "--max-clock-error \(limit)", because: cause, remedy: remedy)
    }
    guard let quality else {
      throw refused("the system does not say how far its clock may be wrong", "leave out --max-clock-error")
    }
    guard quality.isSynchronised else {
      throw refused(
        "the wall clock is not synchronised",
        "sudo timedatectl set-ntp true, and a network; then wait until chronyc tracking or timedatectl says that it is")
    }
    let error = quality.errors.greatest
    guard error > limit.nanoseconds else { return }
    throw refused(
      "the wall clock may be wrong by \(spanText(Double(error)))",
      "wait until the clock is synchronised more closely, or allow more")
  }
}
