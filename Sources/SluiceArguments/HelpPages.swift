import SluiceReadings

/// The help of a program and its commands.
struct HelpPages {
  let program: ArgumentProgram

  /// What `sluice --help` prints.
  var overview: String {
    let usage = "USAGE: \(program.name) <subcommand>"
    return head(program.summary, program.discussion) + "\(usage)\n\n"
      + "OPTIONS:\n\(ArgumentSection.common.map(HelpText.entry).joined(separator: "\n"))\n\n"
      + subcommands(program.commands, "")
  }

  /// What `sluice COMMAND --help` prints.
  func page(_ command: CommandPath) -> String {
    command.type.firstOptions.map { firstPage(command, $0) } ?? all(command)
  }

  /// All that a command has: `sluice help COMMAND all`.
  func all(_ command: CommandPath) -> String {
    let type = command.type
    let sections = ArgumentSection.all(of: type).map(HelpText.section)
    let others = type.subcommands.isEmpty ? [] : [subcommands(type.subcommands, "\(command.name) ")]
    return head(type.summary, type.discussion)
      + (["\(usage(command))\n"] + sections + others).joined(separator: "\n")
  }

  private func head(_ summary: String, _ discussion: String) -> String {
    HelpText.paragraphs("OVERVIEW: \(summary)") + "\n\n"
      + (discussion.isEmpty ? "" : HelpText.paragraphs(discussion) + "\n\n")
  }

  private func subcommands(_ commands: [any ArgumentCommand.Type], _ path: String) -> String {
    "SUBCOMMANDS:\n" + commands.map { HelpText.entry($0.name, $0.summary) + "\n" }.joined()
      + "\n  See '\(program.name) help \(path)<subcommand>' for detailed help.\n"
  }

  private func usage(_ command: CommandPath) -> String {
    let start = "USAGE: \(program.name) \(command.name)"
    guard command.type.subcommands.isEmpty else { return start + " <subcommand>" }
    let rows = ArgumentSection.all(of: command.type).flatMap(\.rows).filter { !$0.isCommon }
    let arguments = rows.filter(\.isPositional).map(\.usage)
    let options = rows.filter { !$0.isPositional && $0.kind != .key }.map(\.usage)
    // More of them would be hard to read.
    let words = options.count > 12 ? ["[<options>]"] + arguments : arguments + options
    return ([start] + words).joined(separator: " ")
  }

  // MARK: The first page of a command with many options

  private func firstPage(_ command: CommandPath, _ firstOptions: [String]) -> String {
    let paragraphs = command.type.discussion.split(separator: "\n\n").map(String.init)
    let examples = paragraphs.filter { $0.hasPrefix("Example") }.flatMap { $0.split(separator: "\n") }.map {
      (line: Substring) -> String in
      guard let start = line.firstRange(of: "\(program.name) ")?.lowerBound else { return "  \(line)" }
      return "  \(line[start...])"
    }
    let sections = ArgumentSection.all(of: command.type)
    let rows = sections.flatMap(\.rows)
    let groups = sections.filter { $0.title != nil }
    let isFirst = { (row: ArgumentWords) in !row.isPositional && firstOptions.contains(row.name) }
    let first = firstOptions.compactMap { name in rows.first { !$0.isPositional && $0.name == name } }
    let ungrouped = sections.filter { $0.title == nil }.flatMap(\.rows).filter {
      !$0.isPositional && !isFirst($0) && !$0.isCommon
    }
    let shown = rows.filter(\.isPositional) + first + ungrouped
    let example = groups.first { $0.word == "operators" } ?? groups.last
    let named = groups.filter { !$0.rows.allSatisfy(\.isPositional) }.map { HelpText.entry($0.word, $0.purpose ?? "") }
    return """
      \(HelpText.paragraph(command.type.summary))

      EXAMPLES:
      \(examples.joined(separator: "\n"))

      \(usage(command))

      \(shown.map { HelpText.entry($0.title, Self.firstSentence($0.help)) }.joined(separator: "\n"))

      MORE OPTIONS: '\(program.name) help \(command.name) GROUP' explains a group, such as \(example?.word ?? "all"):
      \(named.joined(separator: "\n"))

      '\(program.name) help \(command.name) all' explains everything, '\(program.name) help OPTION' one option.

      """
        + paragraphs.filter { !$0.hasPrefix("Example") }.map { "\n\(HelpText.paragraph(Self.firstSentence($0)))\n" }
        .joined()
  }

  /// The rest of a text is on the page with everything.
  private static func firstSentence(_ text: String) -> String {
    text.firstRange(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
  }

  // MARK: A group, an option

  /// What `sluice help COMMAND WORD` prints.
  /// - Throws: If the command has neither a group nor an option of this name.
  func page(_ command: CommandPath, _ word: String) throws(Fault) -> String {
    if word == "all" { return all(command) }
    let sections = ArgumentSection.all(of: command.type)
    let groups = sections.filter { $0.title != nil }
    if let group = groups.first(where: { $0.word == word.lowercased() }) {
      return "\(program.name) \(command.name):\n\(HelpText.section(group))"
    }
    let name = Self.option(word)
    let rows = sections.flatMap(\.rows).filter { !$0.isPositional }
    if let name, let row = rows.first(where: { $0.has(name) || $0.kind == .key && $0.name == word }) {
      return "\(program.name) \(command.name):\n\(HelpText.entry(row))\n"
    }
    let known = groups.map(\.word) + rows.map(\.name)
    let hint = nearest(to: word, among: known).map { "; did you mean \($0)?" }
    guard !groups.isEmpty else {
      throw Fault("\(command.name) has no option \(word)\(hint ?? "")")
    }
    let list = groups.map(\.word).joined(separator: ", ")
    throw Fault("\(command.name) has no group and no option \(word)\(hint ?? "; the groups are \(list)")")
  }

  /// What `sluice help WORD` prints: a group or an option, for each command that has it; nil if none has it.
  func page(_ word: String) -> String? {
    let groups = texts { command in
      guard command.type.firstOptions != nil else { return nil }
      return ArgumentSection.all(of: command.type).first { $0.title != nil && $0.word == word.lowercased() }
        .map(HelpText.section)
    }
    let options = Self.option(word).flatMap { name in
      texts { command in
        ArgumentSection.all(of: command.type).flatMap(\.rows).first {
          $0.has(name) || $0.kind == .key && $0.name == word
        }
        .map { HelpText.entry($0) + "\n" }
      }
    }
    return options ?? groups
  }

  /// Equal texts stand once, with the names of their commands.
  private func texts(_ text: (CommandPath) -> String?) -> String? {
    var texts: [(text: String, commands: [String])] = []
    for command in program.paths where command.type.subcommands.isEmpty {
      guard let text = text(command) else { continue }
      let title = "\(program.name) \(command.name)"
      if let same = texts.firstIndex(where: { $0.text == text }) {
        texts[same].commands.append(title)
      } else {
        texts.append((text, [title]))
      }
    }
    guard !texts.isEmpty else { return nil }
    return texts.map { text, commands in "\(commands.joined(separator: ", ")):\n\(text)" }.joined(separator: "\n")
  }

  /// `--throttle` for `throttle` and `--throttle`; nil for what cannot be an option.
  private static func option(_ word: String) -> String? {
    let name = word.hasPrefix("-") ? word : "--\(word)"
    return name.drop(while: { $0 == "-" }).first?.isLetter ?? false ? name : nil
  }
}
