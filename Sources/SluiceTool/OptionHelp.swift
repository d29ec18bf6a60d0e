import ArgumentParser

/// The output of `sluice help throttle`: one option, for each command that has it.
struct OptionHelp {
  let text: String

  /// - Parameter word: The name of an option, with or without its dashes: `throttle`, `--throttle`, `-o`.
  init?(_ word: String) {
    let name = word.hasPrefix("-") ? word : "--\(word)"
    guard name.drop(while: { $0 == "-" }).first?.isLetter ?? false else { return nil }
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

  /// What the help of a command says about an option, in one line; nil if it does not have the option.
  static func sentence(of name: String, _ command: any ParsableCommand.Type) -> String? {
    guard let text = text(of: "--\(name)", command) else { return nil }
    let lines = text.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
    // The names of the option end at two spaces, or with the line.
    let first = lines[0].firstRange(of: "  ").map { lines[0][$0.upperBound...].drop { $0 == " " } } ?? ""
    return ([String(first)] + lines.dropFirst()).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The lines of an option in the help of a command: its names, and the further indented lines that follow.
  private static func text(of name: String, _ command: any ParsableCommand.Type) -> String? {
    text(of: name, in: SluiceCommand.helpMessage(for: command))
  }

  /// - Parameter help: The help of a command.
  static func text(of name: String, in help: String) -> String? {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
    guard
      let first = lines.firstIndex(where: { line in
        indentation(line) == 2
          && line.dropFirst(2).split(separator: " ").prefix { $0.hasPrefix("-") }.contains { word in
            word.filter { $0 != "," } == name
          }
      })
    else { return nil }
    let further = lines[(first + 1)...].prefix { indentation($0) > 2 }
    return ([lines[first]] + further).joined(separator: "\n")
  }
}
