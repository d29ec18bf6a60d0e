import SluiceReadings

/// How a table is read: where its rows begin, what its columns are called, and what its rows are like.
struct TableShape: Equatable {
  /// The lines before the first row, with the header.
  var skipped = 0
  /// The names of the columns.
  var names: [String] = []
  /// Whether the names are numbers, because the first row is a reading.
  var isWithoutHeader = false
  var form = RowForm()
  var delimiter = UInt8(ascii: ",")
  /// What is told to the user.
  var notices: [String] = []

  /// The cells of the first rows, without quotes and surrounding white space.
  func rows(of text: TableText, most: Int) -> [[String]] {
    let ends = CellEnds(form)
    let dialect = CSVDialect(delimiter)
    var rows: [[String]] = []
    for line in text.lines.dropFirst(skipped) where !line.isEmpty {
      guard rows.count < most else { break }
      let cells = line.withUnsafeBufferPointer { bytes in
        (try? ends.split(bytes, dialect, number: rows.count)).map { row in
          (0..<row.count).map { index in
            if index == 0, form.clock != .cells { return form.clock.text(of: row) }
            return row.withTrimmedText(index) { String(decoding: $0, as: UTF8.self) }
          }
        }
      }
      // The fault of a row is reported when its values are read.
      guard let cells else { break }
      rows.append(cells)
    }
    return rows
  }
}
