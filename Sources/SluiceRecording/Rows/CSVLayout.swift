/// The layout of the rows of a CSV file.
public enum CSVLayout: String, CaseIterable, Sendable {
  /// One row per reading, one column per channel. With several streams, the cells of the other streams are empty.
  case wide
  /// One row per value: `time_ns,stream,channel,value`.
  case long
}

extension CSVLayout {
  /// The columns of the long layout after the time.
  static let longColumns = ["stream", "channel", "value"]

  /// Whether these are the columns of a recording in the long layout.
  static func isLong(_ columns: [String]) -> Bool {
    columns.first.flatMap { RowTime(column: $0.utf8) } != nil && columns.dropFirst().elementsEqual(longColumns)
  }
}
