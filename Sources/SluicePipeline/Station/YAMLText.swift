import SluiceReadings

/// Writes nodes as YAML. What it writes is read as the same by every YAML program: what others could take for a flag, a
/// number or a time stands in quotes.
enum YAMLText {
  /// Lines with a line feed behind each.
  static func lines(_ members: [StationNode.Member], indent: String = "") -> String {
    members.map { member in
      let key = scalar(member.key, inFlow: false)
      // A key before a colon has at most 1,024 characters.
      let head = key.utf8.count > 1_000 ? "? \(key)\n\(indent):" : "\(key):"
      return indent + head + value(member.value, indent: indent)
    }.joined()
  }

  /// What stands behind a colon, with a line feed behind it.
  private static func value(_ node: StationNode, indent: String) -> String {
    if let line = line(node), indent.count + line.count < 90 { return line.isEmpty ? "\n" : " \(line)\n" }
    let inner = indent + "  "
    switch node.content {
    case .text(let text): return " \(scalar(text, inFlow: false))\n"
    case .nothing, .refused: return "\n"
    case .map(let members): return members.isEmpty ? " {}\n" : "\n" + lines(members, indent: inner)
    case .list(let elements):
      if elements.isEmpty { return " []\n" }
      return "\n" + elements.map { "\(inner)- \(element($0, indent: inner + "  "))" }.joined()
    }
  }

  /// What stands behind a hyphen, with a line feed behind it.
  private static func element(_ node: StationNode, indent: String) -> String {
    switch node.content {
    case .text(let text): return "\(scalar(text, inFlow: false))\n"
    case .map(let members) where !members.isEmpty:
      // A stage with its settings.
      if members.count == 1, case .map = members[0].value.content, let settings = flow(members[0].value),
        indent.count + settings.count < 90
      {
        return "\(scalar(members[0].key, inFlow: false)): \(settings)\n"
      }
      return String(lines(members, indent: indent).dropFirst(indent.count))
    case .map: return "{}\n"
    case .list, .nothing, .refused: return "\(flow(node) ?? "")\n"
    }
  }

  /// A text, or a list of texts, in a line; nil if it is something else.
  private static func line(_ node: StationNode) -> String? {
    switch node.content {
    case .text(let text): scalar(text, inFlow: false)
    case .list(let elements) where elements.allSatisfy({ if case .text = $0.content { true } else { false } }):
      flow(node)
    case .list, .map, .nothing, .refused: nil
    }
  }

  /// In brackets and braces.
  private static func flow(_ node: StationNode) -> String? {
    switch node.content {
    case .text(let text): return scalar(text, inFlow: true)
    case .nothing, .refused: return nil
    case .list(let elements):
      let texts = elements.compactMap { flow($0) }
      return texts.count == elements.count ? "[\(texts.joined(separator: ", "))]" : nil
    case .map(let members):
      let texts = members.compactMap { member in
        flow(member.value).map { "\(scalar(member.key, inFlow: true)): \($0)" }
      }
      return texts.count == members.count ? "{\(texts.joined(separator: ", "))}" : nil
    }
  }

  // MARK: Scalars

  static func scalar(_ text: String, inFlow: Bool) -> String {
    isPlain(text, inFlow: inFlow) ? text : "\"\(text.unicodeScalars.map(escaped).joined())\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    default: break
    }
    let isShown =
      (0x20...0x7E).contains(scalar.value)
      || (0xA1...0xD7FF).contains(scalar.value)
        && !(0x2028...0x2029).contains(scalar.value)
      || (0xE000...0xFEFE).contains(scalar.value)
      || (0xFF00...0xFFFD).contains(scalar.value)
    if isShown { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
    return "\\\(letter)\(String(repeating: "0", count: width - digits.count))\(digits)"
  }

  /// What a YAML program could take for something else than a text.
  private static let words: Set = ["y", "n", "yes", "no", "on", "off", "null", "~", "=", "<<"]

  private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, last != " ", last != ":",
      !words.contains(text.lowercased())
    else { return false }
    var before: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      let isSign = (inFlow ? "._-/+=<>()@%*: " : "._-/+=<>()@%*:, ").unicodeScalars.contains(scalar)
      guard isSign || scalar.properties.isAlphabetic || isDigit(scalar), !(before == ":" && scalar == " ") else {
        return false
      }
      before = scalar
    }
    if isDigit(first) || "+-.".unicodeScalars.contains(first) { return isPlainNumber(text) }
    return first.properties.isAlphabetic || first == "/"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

  /// Whether a text that begins like a number is one for everybody, or for nobody.
  private static func isPlainNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.unicodeScalars.allSatisfy(isDigit) }) {
      return parts[0] == "0" || parts[0].first != "0"
    }
    guard let first = text.unicodeScalars.first, isDigit(first) else { return false }
    let isOfNumber = text.unicodeScalars.allSatisfy { isDigit($0) || "_:.eE+-".unicodeScalars.contains($0) }
    return !isOfNumber && !["0x", "0X", "0o", "0b"].contains(where: text.hasPrefix)
  }
}
