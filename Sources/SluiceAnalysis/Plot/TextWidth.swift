/// The approximate width of a text in a sans-serif font. The font of the reader is not known, so the widths are those
/// of a wide font, DejaVu Sans.
enum TextWidth {
  /// - Parameter size: The size of the font.
  static func of(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width($1) } * size
  }

  private static func width(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", " ", "(", ")", "[", "]", "/", "!", "-", "f", "t", "r":
      return 0.4
    case "m", "w", "M", "W", "%", "@", "+", "=", "~", "<", ">", "#": return 0.9
    case "A"..."Z", "&", "_": return 0.72
    default: return scalar.value < 0x80 ? 0.64 : scalar.value < 0x1100 ? 0.7 : 1.05
    }
  }

  /// The text, or its beginning with an ellipsis if it is too wide.
  static func cut(_ text: String, size: Double, to width: Double) -> String {
    guard of(text, size: size) > width else { return text }
    var used = of("…", size: size)
    return text.prefix { character in
      used += of(String(character), size: size)
      return used <= width
    } + "…"
  }
}
