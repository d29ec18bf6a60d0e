import SluiceReadings
import SluiceRecording

/// A moment in a trace: a time after its first reading, or a date.
///
/// In plans and on the command line it is a text: `10s`, `2026-11-21` or `2026-11-21T12:00:00Z`. A date without a zone
/// is in UTC.
public enum TraceInstant: Hashable, Sendable {
  case after(TimeSpan)
  /// Nanoseconds since 1970.
  case date(Int64)

  /// The moment as a bound of a window.
  var bound: TraceWindow.Bound {
    switch self {
    case .after(let span): .after(span.nanoseconds)
    case .date(let time): .at(time)
    }
  }
}

extension TraceInstant: LosslessStringConvertible {
  /// The moment of a text: a time span, or a date.
  public init?(_ description: String) {
    if let span = TimeSpan(description) {
      self = .after(span)
    } else if let date = CivilDateTime(description) {
      self = .date(date.nanoseconds)
    } else {
      return nil
    }
  }

  /// The text of the moment; a date in UTC, to the nanosecond.
  public var description: String {
    switch self {
    case .after(let span): return span.description
    case .date(let time):
      // To the nanosecond, as far as it has digits.
      let rest = time % 1_000_000_000
      var fraction = String(1_000_000_000 + (rest < 0 ? rest + 1_000_000_000 : rest)).dropFirst()
      while fraction.hasSuffix("0") { fraction.removeLast() }
      return "\(utcTime(time).prefix { $0 != "." })\(fraction.isEmpty ? "" : ".\(fraction)")Z"
    }
  }
}

extension TraceInstant: PlanText {
  static let form =
    "a time after the first reading, such as 10s, or a date of 1678 to 2261, such as 2026-11-21T12:00:00Z"
}

extension ValueForm {
  /// A ``TraceInstant``. The forms of dates are many, so the pattern asks only for what begins like one.
  static let traceInstant = ValueForm.grammar(
    pattern: "^(\(TimeSpan.pattern)|[0-9]{4}-[0-9]{2}-[0-9]{2}.*)$", words: TraceInstant.form)
}
