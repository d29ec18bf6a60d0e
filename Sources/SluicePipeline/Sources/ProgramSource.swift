package import SluiceDevices
package import SluiceReadings
import SluiceRecording

/// Lines that a program writes: `exec:python3 sensor.py`.
///
/// Only a recording starts it. `plan`, `list`, `doctor`, `info` and the completions of a shell never do.
package struct ProgramSource: LineSourceKind {
  package static let name = "exec"
  package static let form = "COMMAND" + LineForm.form
  package static let example = "python3 sensor.py"
  package static let isQuoted = true

  private let text: LineText
  private let words: [String]

  init(_ text: LineText) throws(LineFault) {
    self.text = text
    words = try CommandWords.split(text.wire)
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    text.forecast(name, .sender)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    let wire = ProgramWire(words) { [tell = context.tell] in tell(.notice($0)) }
    return try text.open(wire, name: name, settings, context)
  }

  /// The name of its stream: that of the script, if an interpreter runs it.
  private var name: String {
    let script = words.dropFirst().first { $0.contains(".") && !$0.hasPrefix("-") }
    return LinesSource.stem(script ?? words[0])
  }
}

/// A command as words, split as a shell splits it: white space, single and double quotes, backslashes. Nothing else is
/// as in a shell: there are no variables, no patterns, no pipes.
package enum CommandWords {
  /// - Throws: The fault in words.
  package static func split(_ text: String) throws(LineFault) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        isEscaped = false
        // Within double quotes only these lose their backslash.
        if quote == "\"", !"\"\\$`".contains(character) { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        (quote, word) = (character, word ?? "")
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let quote { throw LineFault("the quote \(quote) has no end") }
    if isEscaped { throw LineFault("nothing follows its last backslash") }
    if let word { words.append(word) }
    guard let first = words.first, !first.isEmpty else { throw LineFault("it names no program") }
    if words.contains(where: { $0.utf8.contains(0) }) { throw LineFault("it has a NUL character") }
    return words
  }
}
