import SluiceReadings

/// The first row of a trace: the names of its columns, and which of them is the time.
struct TraceHeader {
  let names: [String]
  let timeIndex: Int

  /// The columns of the long layout behind the time.
  static let long = ["stream", "channel", "value"]

  static func isLong(_ names: [String]) -> Bool {
    names.first.flatMap { RowTime(column: $0.utf8) } != nil && names.dropFirst().elementsEqual(long)
  }

  var isLong: Bool { Self.isLong(names) }

  /// - Parameter name: What the trace is called in errors.
  init(_ file: CSVFile, _ name: String, _ format: TraceFormat) throws(SluiceError) {
    guard let row = try file.nextRow() else {
      throw SluiceError(
        .malformed, "read", name, because: "it is empty", remedy: "a trace begins with a row of column names")
    }
    guard !row.hasStrayReturn else {
      throw SluiceError(
        .malformed, "read", name, because: "its first line has a carriage return that does not end it",
        remedy: "end its lines with a line feed, with or without a carriage return before it")
    }
    guard row.count <= TraceColumns.limit else {
      throw SluiceError(
        .unsupported, "read", name, because: "it has \(row.count) columns and \(TraceColumns.limit) is the limit")
    }
    let names = (0..<row.count).map { row.text($0) }
    guard let timeIndex = names.firstIndex(of: format.timeColumn) else {
      throw SluiceError(
        .malformed, "read", name, because: "it has no column \"\(format.timeColumn)\"",
        remedy: "its columns are \(Self.list(names)); name one with --time-column")
    }
    // It would be a channel of the name that the time has in every recording.
    if let other = names.indices.first(where: { $0 != timeIndex && [format.timeColumn, "time_ns"].contains(names[$0]) })
    {
      throw SluiceError(
        .malformed, "read", name,
        because: names[other] == format.timeColumn
          ? "it has two columns \"\(names[other])\""
          : "it has a column \"\(names[other])\" beside the time column \"\(format.timeColumn)\"",
        remedy: "rename one of them, or leave it out")
    }
    self.names = names
    self.timeIndex = timeIndex
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(64).map { "\"\($0)\"" }.joined(separator: ", ")
    return names.count > 64 ? "\(shown) and \(names.count - 64) more" : shown
  }
}
