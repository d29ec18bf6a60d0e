/// The last lines of a terminal, which are drawn again in their place. The cursor stays on the line below them, so that
/// a shell that follows a kill begins there. It returns what is to be written, and writes nothing itself.
struct TerminalArea {
  private var lines: [TerminalLine] = []
  /// The width of the window when they were drawn.
  private var columns = 0
  private var rows = 0

  var isEmpty: Bool { lines.isEmpty }

  /// Draws the lines that have changed.
  mutating func show(_ new: [TerminalLine], columns: Int, rows: Int = 0) -> String {
    defer { (lines, self.columns, self.rows) = (new, columns, rows) }
    // A terminal that became narrower has wrapped the lines, a lower one has moved them.
    guard columns == self.columns, rows == self.rows else {
      return erased(columns) + new.map { $0.text + "\n" }.joined()
    }
    guard new != lines else { return "" }
    let same = zip(new, lines).prefix { $0 == $1 }.count
    var text = Self.up(lines.count - same)
    for index in same..<max(same, new.count) {
      // It is cleared first: after a line as wide as the window, the last character would go.
      if index >= lines.count || new[index] != lines[index] { text += "\u{1b}[K" + new[index].text }
      text += "\n"
    }
    return text + (new.count < lines.count ? "\u{1b}[J" : "")
  }

  /// Prints a text above the lines.
  func above(_ text: String) -> String { erased(columns) + text + "\n" + lines.map { $0.text + "\n" }.joined() }

  /// Forgets the lines, because something else was written below them.
  mutating func forget() { (lines, columns) = ([], 0) }

  private func erased(_ columns: Int) -> String {
    let height = lines.reduce(0) { $0 + max(1, ($1.width + max(1, columns) - 1) / max(1, columns)) }
    return Self.up(height) + "\u{1b}[J"
  }

  private static func up(_ count: Int) -> String { count > 0 ? "\r\u{1b}[\(count)A" : "\r" }
}
