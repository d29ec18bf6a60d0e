import SluiceReadings

/// Text as a terminal shows it.
package enum TerminalText {
  /// The text without control characters but the line feed, because a name from a file could send them to the terminal.
  package static func safe(_ text: String) -> String {
    func isUnsafe(_ scalar: Unicode.Scalar) -> Bool { isControl(scalar) && scalar != "\n" }
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnsafe($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.isControl || scalar.isOfDirection }

  /// The text without control characters, because a name from a file could send them to the terminal. It is ASCII if
  /// the glyphs are.
  package static func safe(_ text: String, _ glyphs: TerminalGlyphs) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          isControl(scalar) || (glyphs == .ascii && !scalar.isASCII) ? "?" : scalar
        }))
  }

  /// The width of the text in columns.
  package static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36f, 0x200b...0x200d, 0xfe00...0xfe0f: 0
    case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
      0x1f300...0x1faff, 0x20000...0x3fffd:
      2
    default: 1
    }
  }

  /// The text, or its beginning if it is wider than a number of columns.
  package static func cut(_ text: String, to columns: Int, _ glyphs: TerminalGlyphs) -> String {
    guard width(text) > columns else { return text }
    let end = glyphs == .ascii ? "." : "…"
    guard columns > 0 else { return "" }
    var used = 1
    return text.prefix { character in
      used += width(String(character))
      return used <= columns
    } + end
  }
}
