import ArgumentParser
import SluiceReadings

/// The help of a command with many options: examples, the first options, and the names of the others in groups. Manual
/// pages and completions have all of them at once.
struct HelpPage {
  let text: String
  /// The length of a line of the groups.
  private static let width = 80

  /// - Parameter arguments: The arguments of the command line.
  /// - Returns: nil if they do not ask for help, or for that of a command with few options.
  /// - Throws: If a word behind `help COMMAND` is neither a group nor an option of the command.
  init?(_ arguments: [String]) throws(ValidationError) {
    guard let (name, word) = Self.request(arguments) else { return nil }
    guard let command = SluiceCommand.configuration.subcommands.first(where: { $0.configuration.commandName == name })
    else {
      guard word == nil, OptionHelp(name) == nil, let groups = Self.groups(name) else { return nil }
      text = groups
      return
    }
    let sections = HelpSections(command)
    switch word {
    case nil:
      guard let grouped = command as? any GroupedOptions.Type else { return nil }
      text = Self.firstPage(grouped, sections, name)
    case "all"?: text = SluiceCommand.helpMessage(for: command)
    case let word?:
      if let group = sections.groups.first(where: { $0.word == word.lowercased() }) {
        text = "sluice \(name):\n\(group.text)"
      } else if let option = OptionHelp.name(word).flatMap({ OptionHelp.text(of: $0, command) }) {
        text = "sluice \(name):\n\(option)\n"
      } else {
        throw Self.unknown(word, name, sections)
      }
    }
  }

  /// The command whose help is asked for, and the word behind it: `help record stages`, `record --help`.
  private static func request(_ arguments: [String]) -> (command: String, word: String?)? {
    if arguments.first == "help" {
      guard (2...3).contains(arguments.count) else { return nil }
      return (arguments[1], arguments.dropFirst(2).first)
    }
    guard let name = arguments.first, !name.hasPrefix("-") else { return nil }
    let isHelp = { (word: String) in ["--help", "-h"].contains(word) }
    return arguments.dropFirst().prefix { $0 != "--" }.contains(where: isHelp) ? (name, nil) : nil
  }

  /// The groups of all commands that have this name, each once; nil if there is none.
  private static func groups(_ word: String) -> String? {
    var texts: [(text: String, commands: [String])] = []
    for command in SluiceCommand.configuration.subcommands where command is any GroupedOptions.Type {
      guard let name = command.configuration.commandName,
        let text = HelpSections(command).groups.first(where: { $0.word == word.lowercased() })?.text
      else { continue }
      if let same = texts.firstIndex(where: { $0.text == text }) {
        texts[same].commands.append(name)
      } else {
        texts.append((text, [name]))
      }
    }
    guard !texts.isEmpty else { return nil }
    return texts.map { text, commands in "sluice \(commands.joined(separator: ", sluice ")):\n\(text)" }
      .joined(separator: "\n")
  }

  private static func unknown(_ word: String, _ name: String, _ sections: HelpSections) -> ValidationError {
    let words = sections.groups.map(\.word)
    let options = sections.entries.flatMap(\.names).map { String($0.drop { $0 == "-" }) }
    let hint = nearest(to: word, among: words + options).map { "; did you mean \($0)?" }
    guard !words.isEmpty else {
      return ValidationError("\(name) has no option \(word)\(hint ?? "")")
    }
    return ValidationError(
      "\(name) has no group and no option \(word)\(hint ?? "; the groups are \(words.joined(separator: ", "))")")
  }

  private static func firstPage(_ command: any GroupedOptions.Type, _ sections: HelpSections, _ name: String) -> String
  {
    let configuration = command.configuration
    let paragraphs = configuration.discussion.split(separator: "\n\n").map(String.init)
    let examples = paragraphs.filter { $0.hasPrefix("Example") }.flatMap { $0.split(separator: "\n") }.map {
      (line: Substring) -> String in
      guard let start = line.firstRange(of: "sluice ")?.lowerBound else { return "  \(line)" }
      return "  \(line[start...])"
    }
    let arguments = sections.entries.filter { $0.names.isEmpty }
    let first = command.firstOptions.compactMap { option in sections.entries.first { $0.has("--\(option)") } }
    // Each command has the options --version and --help.
    let ungrouped = sections.sections.filter { $0.title == "OPTIONS" }.flatMap(\.entries)
      .filter { !$0.has("--version") && !$0.has("--help") }
    let isFirst = { (entry: HelpSections.Entry) in command.firstOptions.contains { entry.has("--\($0)") } }
    let shown = arguments + first + ungrouped.filter { !isFirst($0) }
    let groups = sections.groups.compactMap { group -> String? in
      let names = group.entries.filter { !isFirst($0) }.compactMap(\.name)
      let words = group.purpose.map { ["\($0):"] + names } ?? names
      return names.isEmpty ? nil : Self.wrapped(words, behind: group.word)
    }
    let example = sections.groups.first { $0.word == "operators" } ?? sections.groups.last
    let option = sections.entries.first { $0.has("--throttle") } ?? example?.entries.first
    return """
      \(filled(configuration.abstract))

      EXAMPLES:
      \(examples.joined(separator: "\n"))

      \(sections.usage)

      \(shown.flatMap(\.lines).joined(separator: "\n"))

      MORE OPTIONS, by group:
      \(groups.joined(separator: "\n"))

      'sluice help \(name) GROUP' explains a group, such as \(example?.word ?? "all").
      'sluice help OPTION' explains one option, such as \(option?.name?.drop { $0 == "-" } ?? "output").
      'sluice help \(name) all' explains everything, as 'man sluice-\(name)' does.

      """ + paragraphs.filter { !$0.hasPrefix("Example") }.map { "\n\(filled($0))\n" }.joined()
  }

  /// Names in lines, all of them beside the word.
  private static func wrapped(_ names: [String], behind word: String) -> String {
    let indentation = String(repeating: " ", count: 16)
    let lines = filled(names.joined(separator: " "), to: width - indentation.count)
    let label = "  \(word)".padding(to: indentation.count)
    return label + lines.replacing("\n", with: "\n\(indentation)")
  }

  private static func filled(_ text: String, to width: Int = width) -> String {
    var lines: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String { self + String(repeating: " ", count: max(1, count - self.count)) }
}
