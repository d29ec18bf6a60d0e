package import SluiceReadings

extension TraceTimes {
  /// Whether a time counts from 1970. A time of less than a year does not, so it is not a date.
  package static func isDate(_ time: Int64) -> Bool { EpochClock.isDate(time) }
}

extension SluiceError {
  /// The error for two traces that have no common zero of time.
  package static func differentOrigins(_ verb: String, _ dated: String, _ other: String, remedy: String) -> SluiceError
  {
    SluiceError(
      .unsupported, verb, "\(dated) and \(other) together",
      because: "the times of \(dated) are dates, but the times of \(other) are relative", remedy: remedy)
  }
}
