/// The format of times in CSV and JSON Lines.
///
/// Whole nanoseconds are exact, and every program that reads 64-bit numbers can sort and subtract them. The other
/// formats are for people, and for programs that expect a date.
public enum RowTime: String, CaseIterable, Sendable {
  /// Nanoseconds since the Unix epoch, in the column `time_ns`.
  case nanoseconds = "ns"
  /// Seconds since the first reading, with nine decimals, in the column `time_s`.
  case relative
  /// ISO 8601 in UTC, with nine decimals, in the column `time`: `2026-11-21T14:55:07.000000000Z`.
  case iso

  /// The format of times in a column with this title; nil for a title that sluice does not write.
  package init?(column: some Sequence<UInt8>) {
    guard let time = Self.allCases.first(where: { column.elementsEqual($0.column.utf8) }) else { return nil }
    self = time
  }

  /// The unit of its column.
  var unit: TraceFormat.Unit {
    switch self {
    case .nanoseconds: .nanoseconds
    case .relative: .seconds
    case .iso: .iso8601
    }
  }

  /// The title of its column.
  package var column: String {
    switch self {
    case .nanoseconds: "time_ns"
    case .relative: "time_s"
    case .iso: "time"
    }
  }
}
