/// The layout of help: names on the left, sentences beside them, and lines of 80 characters.
enum HelpText {
  /// The column of the sentences.
  private static let indentation = 26
  private static let width = 80

  /// The lines of an option.
  static func entry(_ row: ArgumentWords) -> String { entry(row.title, row.help) }

  static func entry(_ title: String, _ sentence: String) -> String {
    let spaces = String(repeating: " ", count: indentation)
    let lines = filled(sentence, to: width - 1 - indentation)
    let title = "  " + title
    if sentence.isEmpty { return title }
    // A longer title has a line of its own.
    let first = title.count < indentation ? padded(title, indentation) + (lines.first ?? "") : title
    let others = title.count < indentation ? lines.dropFirst() : lines[...]
    return ([first] + others.map { spaces + $0 }).joined(separator: "\n")
  }

  static func section(_ section: ArgumentSection) -> String {
    "\(section.heading):\n\(section.rows.map(entry).joined(separator: "\n"))\n"
  }

  /// Paragraphs, whose lines stay lines. Commands are not broken.
  static func paragraphs(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix(" ") || line.hasPrefix("Example")
        ? String(line) : filled(String(line), to: width - 1).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// One paragraph.
  static func paragraph(_ text: String, to width: Int = width) -> String {
    filled(text, to: width).joined(separator: "\n")
  }

  private static func padded(_ text: String, _ count: Int) -> String {
    text + String(repeating: " ", count: max(1, count - text.count))
  }

  private static func filled(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0 == "\n" }) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
