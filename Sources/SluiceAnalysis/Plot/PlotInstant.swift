import SluicePipeline
import SluiceRecording

/// The start or the end of a picture: a time after the first reading, a time before the last one, a time of day, or a
/// date.
package enum PlotInstant: Equatable, Sendable {
  case offset(Int64)
  /// Before the last reading.
  case beforeEnd(Int64)
  /// Since midnight.
  case timeOfDay(Int64)
  case date(Int64, hasZone: Bool)

  /// - Parameter text: A time span such as `1.5s`, 0, one before the last reading such as `-10m`, a time of day such as
  ///   `13:00` or `13:00:05.5`, or a date such as `2026-11-21T12:00:00Z`.
  package init?(_ text: String) {
    if text.hasPrefix("-"), let span = TimeSpan(String(text.dropFirst())) {
      self = .beforeEnd(span.nanoseconds)
    } else if let time = Self.timeOfDay(text) {
      self = .timeOfDay(time)
    } else if text == "0" || text == "0s" {
      self = .offset(0)
    } else if let span = TimeSpan(text) {
      self = .offset(span.nanoseconds)
    } else if let date = CivilDateTime(text) {
      self = .date(date.nanoseconds, hasZone: date.hasZone)
    } else {
      return nil
    }
  }

  private static func timeOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    func number(_ text: Substring, below limit: Int64) -> Int64? {
      guard (1...2).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      return Int64(text).flatMap { $0 < limit ? $0 : nil }
    }
    guard (2...3).contains(parts.count), let hours = number(parts[0], below: 24),
      let minutes = number(parts[1], below: 60)
    else { return nil }
    let start = hours * TimeStep.hour + minutes * TimeStep.minute
    guard parts.count == 3 else { return start }
    let seconds = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = number(seconds[0], below: 60) else { return nil }
    guard seconds.count == 2 else { return start + whole * TimeStep.second }
    guard (1...9).contains(seconds[1].count),
      let fraction = Int64(seconds[1] + String(repeating: "0", count: 9 - seconds[1].count)),
      fraction >= 0
    else { return nil }
    return start + whole * TimeStep.second + fraction
  }

  /// The instant as a time of the trace, in nanoseconds; nil if it does not fit.
  /// - Parameters:
  ///   - first: The time of the first reading. A time of day is on its day.
  ///   - last: The time of the last reading.
  ///   - clock: The time zone of a date without a zone, and of a time of day.
  func time(first: Int64, last: Int64 = .max, _ clock: PlotClock) -> Int64? {
    switch self {
    case .beforeEnd(let span):
      let (time, overflow) = last.subtractingReportingOverflow(span)
      return overflow ? nil : time
    case .timeOfDay(let span):
      let local = clock == .local ? first.addingReportingOverflow(LocalTime.zone(at: first).offset).partialValue : first
      let midnight = floorDivided(local, TimeStep.day).multipliedReportingOverflow(by: TimeStep.day).partialValue
      let time = midnight.addingReportingOverflow(span).partialValue
      return clock == .local ? LocalTime.utc(of: time) : time
    case .offset(let offset):
      let (time, overflow) = first.addingReportingOverflow(offset)
      return overflow ? nil : time
    case .date(let time, let hasZone):
      return hasZone || clock != .local ? time : LocalTime.utc(of: time)
    }
  }

  var isTimeOfDay: Bool { if case .timeOfDay = self { true } else { false } }
  /// Whether it needs times that are dates.
  var isOfClock: Bool { if case .date = self { true } else { isTimeOfDay } }
  var isBeforeEnd: Bool { if case .beforeEnd = self { true } else { false } }
}

extension Plot.Options {
  var needsEnd: Bool { [from, to].contains { $0?.isBeforeEnd ?? false } }
}
