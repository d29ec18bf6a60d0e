import ArgumentParser

/// The output of `sluice help throttle`: one option, for each command that has it.
struct OptionHelp {
  let text: String

  /// - Parameter word: The name of an option, with or without its dashes: `throttle`, `--throttle`, `-o`.
  init?(_ word: String) {
    guard let name = Self.name(word) else { return nil }
    var texts: [(text: String, commands: [String])] = []
    for command in SluiceCommand.configuration.subcommands {
      guard let text = Self.text(of: name, command), let title = command.configuration.commandName else { continue }
      if let same = texts.firstIndex(where: { $0.text == text }) {
        texts[same].commands.append(title)
      } else {
        texts.append((text, [title]))
      }
    }
    guard !texts.isEmpty else { return nil }
    text = texts.map { text, commands in
      "sluice \(commands.joined(separator: ", sluice ")):\n\(text)\n"
    }.joined(separator: "\n")
  }

  /// `--throttle` for `throttle` and `--throttle`; nil for what cannot be an option.
  static func name(_ word: String) -> String? {
    let name = word.hasPrefix("-") ? word : "--\(word)"
    return name.drop(while: { $0 == "-" }).first?.isLetter ?? false ? name : nil
  }

  /// What the help of a command says about an option, in one line; nil if it does not have the option.
  static func sentence(of name: String, _ command: any ParsableCommand.Type) -> String? {
    guard let text = text(of: "--\(name)", command) else { return nil }
    let lines = text.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
    // The names of the option end at two spaces, or with the line.
    let first = lines[0].firstRange(of: "  ").map { lines[0][$0.upperBound...].drop { $0 == " " } } ?? ""
    return ([String(first)] + lines.dropFirst()).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The lines of an option in the help of a command.
  static func text(of name: String, _ command: any ParsableCommand.Type) -> String? {
    HelpSections(command).entries.first { $0.has(name) }?.lines.joined(separator: "\n")
  }
}
