/// Dots in the characters of a terminal. Each character has the colour of its last dot.
struct DotCanvas {
  let columns: Int
  let rows: Int
  private let glyphs: TerminalGlyphs
  private var bits: [UInt8]
  private var colours: [Int?]
  /// The background of each column, where it has no dots.
  private var shades: [PlotBand.Kind?]
  /// The columns with a loss. It is drawn in the first row, also over a gap, which the loss has often caused, unless there
  /// is no other row for the gap.
  private var losses: [Bool]

  init(columns: Int, rows: Int, _ glyphs: TerminalGlyphs) {
    (self.columns, self.rows, self.glyphs) = (columns, rows, glyphs)
    bits = Array(repeating: 0, count: columns * rows)
    colours = Array(repeating: nil, count: columns * rows)
    shades = Array(repeating: nil, count: columns)
    losses = Array(repeating: false, count: columns)
  }

  /// The number of the column at a position from 0, the left edge, to 1. Everything that has a time is drawn in this
  /// column. If two functions found the column in two ways, something could be drawn in the next column, and its own
  /// column would stay empty.
  static func place(of position: Double, among columns: Int) -> Int {
    max(0, min(columns - 1, Int(position * Double(columns))))
  }

  var width: Int { columns * glyphs.dots.across }
  var height: Int { rows * glyphs.dots.down }

  mutating func dot(_ x: Int, _ y: Int, _ colour: Int) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    let cell = y / glyphs.dots.down * columns + x / glyphs.dots.across
    bits[cell] |= glyphs.bit(x % glyphs.dots.across, y % glyphs.dots.down)
    colours[cell] = colour
  }

  /// Draws a line with Bresenham's algorithm.
  mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ colour: Int) {
    var (x, y) = start
    let (width, height) = (abs(end.x - x), abs(end.y - y))
    let (stepX, stepY) = (x < end.x ? 1 : -1, y < end.y ? 1 : -1)
    var error = width - height
    while true {
      dot(x, y, colour)
      if x == end.x, y == end.y { return }
      let doubled = 2 * error
      if doubled > -height { (error, x) = (error - height, x + stepX) }
      if doubled < width { (error, y) = (error + width, y + stepY) }
    }
  }

  /// - Parameters:
  ///   - from: The position from 0, the left edge, to 1.
  mutating func shade(from: Double, to: Double, _ kind: PlotBand.Kind) {
    let first = Self.place(of: from, among: columns)
    for column in first...max(first, Self.place(of: to, among: columns)) {
      if kind == .loss {
        losses[column] = true
      } else if shades[column] == nil || kind == .mark || kind == .gap && shades[column] != .mark {
        shades[column] = kind
      }
    }
  }

  struct Cell: Hashable {
    var character: Character
    /// The colour of a line; nil for the colour of text.
    var colour: Int?
    var shade: PlotBand.Kind?
  }

  func row(_ row: Int) -> [Cell] {
    (0..<columns).map { column in
      let cell = row * columns + column
      if bits[cell] != 0 { return Cell(character: glyphs.character(bits[cell]), colour: colours[cell]) }
      let isLoss = row == 0 && losses[column] && (shades[column] == nil || rows > 1 && shades[column] != .mark)
      guard let shade = isLoss ? .loss : shades[column] else { return Cell(character: " ") }
      return Cell(character: glyphs.character(of: shade), shade: shade)
    }
  }
}
