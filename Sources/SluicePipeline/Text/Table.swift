import SluiceReadings

/// Lines of a table. Each column is as wide as its widest cell. A line feed in a cell would look like another row.
/// - Parameter numbers: Whether the cells of a column are aligned to the right.
package func table(_ rows: [[String]], numbers: (Int) -> Bool = { _ in false }) -> [String] {
  let rows = rows.map { $0.map(\.inOneLine) }
  var widths: [Int] = []
  for row in rows {
    for (column, cell) in row.enumerated() {
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], cell.count)
    }
  }
  return rows.map { row in
    var line = row.enumerated().map { column, cell in
      padded(cell, widths[column], numbers(column) ? .right : .left)
    }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
