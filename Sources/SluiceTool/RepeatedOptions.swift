import ArgumentParser

/// Options that are given twice, although they take one value. ArgumentParser would forget the first value.
enum RepeatedOptions {
  /// - Parameter arguments: Those of a command, without its name.
  /// - Throws: A `ValidationError` for the first such option.
  static func check(_ arguments: some Collection<String>, of command: any ParsableCommand.Type) throws {
    var seen: Set<String> = []
    for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      guard word.drop(while: { $0 == "-" }).first?.isLetter == true, !word.contains(" ") else { continue }
      // The value of a short option may follow without a space: -n10.
      let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
      guard !seen.insert(name).inserted, takesOneValue(name, HelpSections(command)) else { continue }
      let remedy =
        switch name {
        case "--while", "--around": "; join the conditions with or, such as 'door == 1 or window == 1'"
        default: ""
        }
      throw ValidationError("\(name) is given twice, and takes one value\(remedy)")
    }
  }

  /// Whether a word is an option with a value, and its help does not say that it can be repeated.
  static func takesOneValue(_ name: String, _ help: HelpSections) -> Bool {
    guard let text = help.entries.first(where: { $0.has(name) })?.lines.joined(separator: "\n") else { return false }
    // A flag has no value in the help.
    let names = text.prefix { $0 != "\n" }.drop { $0 == " " }
    guard (names.firstRange(of: "  ").map { names[..<$0.lowerBound] } ?? names).contains("<") else { return false }
    return !text.split { $0.isWhitespace }.joined(separator: " ").lowercased().contains("can be repeated")
  }
}
