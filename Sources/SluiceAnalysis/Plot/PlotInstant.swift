import SluicePipeline
import SluiceRecording

/// The start or the end of a picture: a time after the first reading, or a date.
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

  /// The instant as a time of the trace, in nanoseconds; nil if it does not fit.
  /// - Parameters:
  ///   - first: The time of the first reading.
  ///   - clock: The time zone of a date without a zone.
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
