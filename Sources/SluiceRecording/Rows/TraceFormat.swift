/// The time column of a foreign trace, its unit, and the columns to read. Nil members are detected from the trace.
public struct TraceFormat: Hashable, Sendable {
  /// A unit of time. The raw value is its text form.
  public enum Unit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"
    /// Date and time as text, such as `2024-03-01T12:00:00Z`.
    case iso8601 = "iso"

    /// One unit is ten to this power nanoseconds.
    var power: Int {
      switch self {
      case .seconds: 9
      case .milliseconds: 6
      case .microseconds: 3
      case .nanoseconds, .iso8601: 0
      }
    }
  }

  /// The column with the time: its name, or its number from 1.
  public var timeColumn: String?
  /// The unit of the time.
  public var timeUnit: Unit?
  /// The columns that become channels, in this order: their names, or their numbers from 1. Empty for all columns with
  /// numbers.
  public var columns: [String]
  /// The path of a DBC file, whose messages become the streams of a `candump` file.
  public var dbc: String?

  /// How the text of a time is written, with the letters of `strptime`: `%d.%m.%Y %H:%M:%S`.
  public var timeFormat: String?
  /// The date of times of day that have none: `2024-03-14`.
  public var date: String?
  /// The zone of times without one: `Europe/Berlin`, or `local` for the zone of this machine.
  public var timezone: String?
  /// The time from one row to the next, if rows have no times.
  public var period: RowPeriod?
  /// The number of lines before the header; nil to find it.
  public var skippedLines: Int?
  /// The names of the columns, instead of those of the header; empty for those.
  public var columnNames: [String] = []

  /// Makes a format. By default everything is detected.
  public init(timeColumn: String? = nil, timeUnit: Unit? = nil, columns: [String] = [], dbc: String? = nil) {
    self.timeColumn = timeColumn
    self.timeUnit = timeUnit
    self.columns = columns
    self.dbc = dbc
  }
}
