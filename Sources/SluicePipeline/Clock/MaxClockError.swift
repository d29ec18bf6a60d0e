import SluiceReadings
import SluiceRecording

/// Checks before a recording whether the wall clock is as good as `--max-clock-error` asks.
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
        "connect the machine to a network, run sudo timedatectl set-ntp true, "
          + "and wait until timedatectl or chronyc tracking says that it is synchronised")
    }
    let error = quality.errors.greatest
    guard error > limit.nanoseconds else { return }
    throw refused(
      "the wall clock may be wrong by \(spanText(Double(error)))",
      "wait until the clock is more exact, or allow a larger error")
  }
}
