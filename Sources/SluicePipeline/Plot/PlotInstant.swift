import SluiceRecording

/// Where a picture begins or ends: so long after the first reading, or a date.
package enum PlotInstant: Hashable, Sendable {
  case offset(Int64)
  case date(Int64, hasZone: Bool)

  /// - Parameter text: A time span such as `1.5s`, 0, or a date such as `2026-11-21T12:00:00Z`.
  package init?(_ text: String) {
    if text == "0" || text == "0s" {
      self = .offset(0)
    } else if let span = TimeSpan(text) {
      self = .offset(span.nanoseconds)
    } else if let date = CivilDateTime(text) {
      self = .date(date.nanoseconds, hasZone: date.hasZone)
    } else {
      return nil
    }
  }

  /// Nanoseconds as the times of a trace count; nil if they do not reach so far.
  /// - Parameters:
  ///   - first: The time of the first reading.
  ///   - clock: What a date without a zone is of.
  func time(first: Int64, _ clock: PlotClock) -> Int64? {
    switch self {
    case .offset(let offset):
      let (time, overflow) = first.addingReportingOverflow(offset)
      return overflow ? nil : time
    case .date(let time, let hasZone):
      return hasZone || clock != .local ? time : LocalTime.utc(of: time)
    }
  }
}
