/// The characters for drawings in a terminal.
package enum TerminalGlyphs: Sendable {
  /// Two by four dots per character.
  case braille
  /// One by two dots, for consoles: their fonts have no braille.
  case blocks
  /// One by two dots, in ASCII.
  case ascii

  var dots: (across: Int, down: Int) {
    self == .braille ? (2, 4) : (1, 2)
  }

  /// The bit of a dot in its character.
  func bit(_ x: Int, _ y: Int) -> UInt8 {
    guard self == .braille else { return 1 << UInt8(y & 1) }
    // Unicode numbers the dots of the first three rows by column, and then the dots of the fourth row.
    return y & 3 == 3 ? 0x40 << UInt8(x & 1) : 1 << UInt8(y & 3 + 3 * (x & 1))
  }

  func character(_ bits: UInt8) -> Character {
    guard bits != 0 else { return " " }
    switch self {
    case .braille: return Unicode.Scalar(0x2800 + UInt32(bits)).map { Character($0) } ?? " "
    case .blocks: return bits == 1 ? "▀" : bits == 2 ? "▄" : "█"
    case .ascii: return bits == 1 ? "'" : bits == 2 ? "." : ":"
    }
  }

  func character(of kind: PlotBand.Kind) -> Character {
    switch kind {
    case .gap: self == .ascii ? "/" : "░"
    case .pause: self == .ascii ? "=" : "▒"
    case .mark: self == .ascii ? "!" : self == .blocks ? "│" : "┊"
    case .loss: self == .ascii ? "\"" : self == .blocks ? "▀" : "▔"
    }
  }

  var sample: String { self == .ascii ? "-" : "━" }
  var side: (plain: Character, tick: Character) { self == .ascii ? ("|", "+") : ("│", "┤") }
  var floor: (corner: Character, plain: Character, tick: Character) {
    self == .ascii ? ("+", "-", "+") : ("└", "─", "┬")
  }
}
