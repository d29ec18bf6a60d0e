import SluicePipeline

/// Text within XML.
enum SVGText {
  /// Characters that XML does not allow, such as control characters in a name from a file, become U+FFFD.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t": escaped += " "
      default:
        let value = scalar.value
        let isAllowed = value >= 0x20 && !(0x7f..<0xa0).contains(value) && value != 0xfffe && value != 0xffff
        escaped.unicodeScalars.append(isAllowed ? scalar : "\u{fffd}")
      }
    }
    return escaped
  }

  /// A number with one decimal at most.
  static func number(_ value: Double) -> String {
    let text = fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
