import SluiceAnalysis

/// A line of a terminal that is never wider than its limit, with its colours.
struct TerminalLine: Equatable {
  enum Style: String {
    case plain = ""
    case bold = "1"
    case faint = "2"
    case red = "31"
    case yellow = "33"
    case cyan = "36"
  }

  private(set) var text = ""
  /// The columns that it takes.
  private(set) var width = 0
  private let limit: Int
  private let glyphs: TerminalGlyphs
  private let isColoured: Bool

  /// - Parameter limit: The largest width.
  init(_ window: TerminalWindow, limit: Int) {
    (self.limit, glyphs, isColoured) = (max(0, limit), window.glyphs, window.isColoured)
  }

  /// A line that was drawn with its colours.
  init(drawn text: String, _ window: TerminalWindow) {
    self.init(window, limit: window.columns)
    self.text = text
    var isEscape = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{1b}" { isEscape = true }
      if !isEscape { width += TerminalText.width(String(scalar)) }
      if isEscape, scalar == "m" { isEscape = false }
    }
  }

  /// The columns that are left.
  var room: Int { limit - width }

  /// Adds a text, or as much of it as there is room for.
  mutating func add(_ text: String, _ style: Style = .plain) {
    let cut = TerminalText.cut(TerminalText.safe(text, glyphs), to: room, glyphs)
    guard !cut.isEmpty else { return }
    width += TerminalText.width(cut)
    self.text += isColoured && style != .plain ? "\u{1b}[\(style.rawValue)m\(cut)\u{1b}[0m" : cut
  }

  /// Adds a text in a column.
  mutating func add(_ text: String, in columns: Int, isRight: Bool = false, _ style: Style = .plain) {
    let cut = TerminalText.cut(TerminalText.safe(text, glyphs), to: columns, glyphs)
    let space = String(repeating: " ", count: max(0, columns - TerminalText.width(cut)))
    if isRight { add(space) }
    add(cut, style)
    if !isRight { add(space) }
  }
}
