/// A small picture of a channel: one line of text, with the minimum and the maximum of each column.
package enum Sparkline {
  /// The smallest and the largest value of a column; nil if it has no values.
  package typealias Column = ClosedRange<Double>?

  /// Draws columns, which are merged if there are more than dots, so that every peak is seen.
  /// - Parameter cells: The width in characters.
  package static func text(_ columns: [Column], cells: Int, _ glyphs: TerminalGlyphs) -> String {
    guard cells > 0, !columns.isEmpty else { return "" }
    var canvas = DotCanvas(columns: cells, rows: 1, glyphs)
    let known = columns.compactMap { $0 }
    guard let lower = known.map(\.lowerBound).min(), let upper = known.map(\.upperBound).max() else {
      return String(repeating: " ", count: cells)
    }
    let height = Double(canvas.height - 1)
    // Half of each, because the difference of two numbers may be infinite.
    let span = upper / 2 - lower / 2
    func row(_ value: Double) -> Int {
      span > 0 ? Int(((upper / 2 - value / 2) / span * height).rounded()) : canvas.height / 2
    }
    for (index, column) in columns.enumerated() {
      guard let column else { continue }
      let first = index * canvas.width / columns.count
      // Fewer columns than dots are drawn wide.
      let last = max(first, (index + 1) * canvas.width / columns.count - 1)
      for x in first...last {
        for y in row(column.upperBound)...max(row(column.upperBound), row(column.lowerBound)) { canvas.dot(x, y, 0) }
      }
    }
    return String(canvas.row(0).map(\.character))
  }
}
