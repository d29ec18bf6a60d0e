package import SluiceReadings

/// A program with commands: what its arguments ask for.
package struct ArgumentProgram {
  /// The name of the program.
  package let name: String
  /// What it does, in one sentence.
  package let summary: String
  /// Paragraphs behind the summary.
  package let discussion: String
  package let version: String
  /// The commands, in the order of the help.
  package let commands: [any ArgumentCommand.Type]
  /// The sentence about an option of another program, with its dashes; nil if it knows none.
  package let elsewhere: (String) -> String?

  package init(
    _ name: String, _ summary: String, discussion: String, version: String, commands: [any ArgumentCommand.Type],
    elsewhere: @escaping (String) -> String? = { _ in nil }
  ) {
    (self.name, self.summary, self.discussion) = (name, summary, discussion)
    (self.version, self.commands, self.elsewhere) = (version, commands, elsewhere)
  }

  /// What the arguments ask for.
  package enum Request {
    /// There are no arguments.
    case nothing
    case command(any ArgumentCommand)
    /// A text for the user.
    case page(String)
    /// A text for another program.
    case script(String)
  }

  /// Reads the arguments, without the name of the program.
  /// - Parameter notices: Gets what should be said about the values, although they are right.
  package func request(_ arguments: [String], notices: inout [String]) throws(Fault) -> Request {
    guard let first = arguments.first else { return .nothing }
    let others = Array(arguments.dropFirst())
    switch first {
    case "help": return .page(try help(others))
    case "-h", "--help": return .page(HelpPages(program: self).overview)
    case "--version": return .page(version + "\n")
    case Self.completing: return .script(completion(others))
    case "--generate-completion-script", "--generate-manual":
      return .script(try first == "--generate-manual" ? manual(others) : script(others.first))
    default: break
    }
    do throws(Fault) {
      let path = try self.path(arguments)
      let words = Array(arguments.dropFirst(path.words.count))
      if let page = builtIn(path, words) { return .page(page) }
      return .command(try path.type.command(words, &notices))
    } catch {
      throw explained(error, arguments)
    }
  }

  /// What each command answers by itself.
  private func builtIn(_ path: CommandPath, _ words: [String]) -> String? {
    guard words.isEmpty || words.contains(where: { ["--help", "-h", "--version"].contains($0) }) else { return nil }
    let hasRest = ArgumentSection.all(of: path.type).contains { $0.rows.contains { $0.kind == .rest } }
    let own = words.prefix { $0 != "--" && !(hasRest && !$0.hasPrefix("-")) }
    if own.contains(where: { $0 == "--help" || $0 == "-h" }) || !path.type.subcommands.isEmpty && words.isEmpty {
      return HelpPages(program: self).page(path)
    }
    return own.contains("--version") ? version + "\n" : nil
  }

  // MARK: Commands

  /// All commands, each behind those that it is part of.
  var paths: [CommandPath] {
    commands.flatMap { type in
      [CommandPath(words: [type.name], type: type)]
        + type.subcommands.map { CommandPath(words: [type.name, $0.name], type: $0) }
    }
  }

  /// The command at the beginning of the arguments.
  private func path(_ arguments: [String]) throws(Fault) -> CommandPath {
    let name = arguments[0]
    guard let type = commands.first(where: { $0.name == name }) else {
      throw name.hasPrefix("-")
        ? Fault.unknownOption(String(name.prefix { $0 != "=" })) : unknownCommand(name, commands, "command")
    }
    guard !type.subcommands.isEmpty, let word = arguments.dropFirst().first, !word.hasPrefix("-") else {
      return CommandPath(words: [name], type: type)
    }
    guard let part = type.subcommands.first(where: { $0.name == word }) else {
      throw unknownCommand(word, type.subcommands, "command", of: type.name)
    }
    return CommandPath(words: [name, word], type: part)
  }

  private func unknownCommand(
    _ word: String, _ commands: [any ArgumentCommand.Type], _ kind: String, of parent: String? = nil
  ) -> Fault {
    let names = commands.map { $0.name }
    if word.isEmpty {
      return Fault("the name of the \(kind) is empty; the commands are \(names.joined(separator: ", "))")
    }
    let hint = nearest(to: String(word.drop { $0 == "-" }), among: names).map { "did you mean \($0)?" }
    return Fault(
      "\(parent.map { "\($0) has" } ?? "there is") no \(kind) \(word); \(hint ?? "the commands are \(names.joined(separator: ", "))")"
    )
  }

  // MARK: Help

  private func help(_ words: [String]) throws(Fault) -> String {
    let pages = HelpPages(program: self)
    guard let first = words.first else { return pages.overview }
    var fault: Fault
    if var path = paths.first(where: { $0.words == [first] }) {
      var rest = words.dropFirst()
      if let word = rest.first, let part = paths.first(where: { $0.words == [first, word] }) {
        path = part
        rest.removeFirst()
      }
      guard let word = rest.popFirst() else { return pages.page(path) }
      if rest.isEmpty {
        do throws(Fault) { return try pages.page(path, word) } catch { fault = error }
      } else {
        fault = Fault("help takes a command, and a group or an option of it")
      }
      fault.command = "\(name) \(path.name)"
      throw fault
    }
    if words.count == 1, let page = pages.page(first) { return page }
    let options = paths.flatMap { ArgumentSection.all(of: $0.type) }.flatMap(\.rows).filter { !$0.isPositional }
    let topics = commands.map { $0.name } + options.map(\.name)
    let hint = nearest(to: String(first.drop { $0 == "-" }), among: topics).map { "did you mean '\(name) help \($0)'?" }
    fault = Fault(
      "there is no command and no option \(first.isEmpty ? "without a name" : first); "
        + (hint ?? "the commands are \(commands.map { $0.name }.joined(separator: ", "))")
    )
    fault.command = name
    throw fault
  }

  // MARK: Faults

  /// The fault with the page that has the right form, and with what the user may have meant.
  package func explained(_ fault: Fault, _ arguments: [String]) -> Fault {
    var fault = fault
    // The longest path that the arguments begin with.
    let path = paths.last { arguments.starts(with: $0.words) }
    fault.command = fault.command ?? ([name] + (path?.words ?? [])).joined(separator: " ")
    guard let option = fault.unknownOption else { return fault }
    fault.unknownOption = nil
    return fault.adding(hint(option, path?.type))
  }

  /// A suggestion for an unknown option: its new name, the same option of another command, or one with a similar name.
  private func hint(_ option: String, _ command: (any ArgumentCommand.Type)?) -> String {
    let rows = command.map { ArgumentSection.all(of: $0).flatMap(\.rows).filter { !$0.isPositional } } ?? []
    let bare = String(option.drop { $0 == "-" })
    if let row = rows.first(where: { $0.earlier.contains(bare) }), option.hasPrefix("--") {
      return "; its name is now --\(row.name)"
    }
    let all = commands.map { ($0.name, ArgumentSection.all(of: $0).flatMap(\.rows).filter { !$0.isPositional }) }
    let foreign = option.hasPrefix("--") ? option : String(option.prefix(2))
    for row in all.flatMap(\.1) {
      guard let (program, _) = row.elsewhere.first(where: { $0.name == foreign }) else { continue }
      let name = row.kind == .key ? "write \(row.name)= behind the source" : "give --\(row.name)"
      return "; for \(foreign) of \(program), \(name)"
    }
    if let sentence = elsewhere(foreign) { return "; \(sentence)" }
    guard option.hasPrefix("--") else {
      // A dash is missing.
      return rows.contains { $0.name == bare } && bare.count > 1 ? "; did you mean '--\(bare)'?" : ""
    }
    let others = all.filter { $0.1.contains { $0.has(option) } }.map(\.0)
    if let last = others.last {
      let names =
        others.count == 1
        ? "\(name) \(last) has" : "\(name) \(others.dropLast().joined(separator: ", ")) and \(last) have"
      return "; \(names) it"
    }
    let withKey = commands.first { command in
      ArgumentSection.all(of: command).contains { $0.rows.contains { $0.kind == .key && $0.name == bare } }
    }
    if let withKey { return "; \(bare) is a key behind a source of \(name) \(withKey.name)" }
    if commands.contains(where: { $0.name == bare }) { return "; \(bare) is a command of its own: \(name) \(bare)" }
    // The dashes are left out, because they would make short names similar.
    let known = rows.flatMap(\.names).filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    let keys = rows.filter { $0.kind == .key }.map(\.name)
    guard let near = nearest(to: bare, among: known + keys) else { return "" }
    return keys.contains(near) ? "; did you mean \(near)= behind a source?" : "; did you mean '--\(near)'?"
  }

  // MARK: Shells and manual pages

  /// The hidden word by which the script of a shell asks for candidates.
  static let completing = "---complete"

  private func script(_ shell: String?) throws(Fault) -> String {
    guard let shell = shell.flatMap({ Shell(rawValue: $0) }) else {
      var fault = Fault(
        "--generate-completion-script takes \(Shell.allCases.map(\.rawValue).joined(separator: " or "))")
      fault.command = name
      throw fault
    }
    return shell.script(name)
  }

  private func manual(_ words: [String]) throws(Fault) -> String {
    let pages = ManualPages(program: self)
    guard let page = words.first else { return pages.names.map { $0 + "\n" }.joined() }
    guard let text = pages.text(page, date: words.dropFirst().first ?? "") else {
      throw Fault("there is no manual page \(page)")
    }
    return text
  }

  /// - Parameter words: The shell, and the words behind the name of the program up to the cursor.
  private func completion(_ words: [String]) -> String {
    guard let shell = words.first.flatMap({ Shell(rawValue: $0) }) else { return "" }
    return answer(Array(words.dropFirst())).text(for: shell)
  }

  private func answer(_ words: [String]) -> CompletionAnswer {
    let current = words.last ?? "", before = words.dropLast()
    var answer = CompletionAnswer()
    var level = commands.map { Candidate(word: $0.name, what: $0.summary) }
    if before.isEmpty {
      let options = ArgumentSection.common.map { Candidate(word: "--\($0.name)", what: $0.help) }
      answer.candidates = current.hasPrefix("-") ? options : level + [Candidate(word: "help", what: "Show help.")]
    } else if before.first == "help" {
      if let path = paths.first(where: { $0.words == Array(before.dropFirst()) }) {
        let sections = ArgumentSection.all(of: path.type)
        level = path.type.subcommands.map { Candidate(word: $0.name, what: $0.summary) }
        level += sections.filter { $0.title != nil }.map { Candidate(word: $0.word, what: $0.purpose ?? "") }
        level += sections.flatMap(\.rows).filter { !$0.isPositional }.map { Candidate(word: $0.name, what: $0.help) }
      }
      answer.candidates = before.count < 4 ? level : []
    } else if let path = paths.last(where: { before.starts(with: $0.words) }) {
      if let row = ArgumentSection.all(of: path.type).first?.rows.first,
        case .commandLine(let names, let endings) = row.completion
      {
        let rest = before.dropFirst(path.words.count)
        if let first = rest.first { return self.answer((names.contains(first) ? [] : [names[0]]) + rest + [current]) }
        answer.candidates = names.filter { $0.hasPrefix(current) }.map { Candidate(word: $0) }
        if answer.candidates.isEmpty { answer = self.answer([names[0], current]) }
        if !answer.candidates.contains(where: { $0.word.hasPrefix(current) }) {
          (answer.candidates, answer.search, answer.endings) = ([], .files, endings)
        }
        return answer
      }
      let parts = path.type.subcommands
      answer.candidates = parts.map { Candidate(word: $0.name, what: $0.summary) }
      if parts.isEmpty { answer = CompletionAnswer(path.type, Array(before.dropFirst(path.words.count)), current) }
    }
    return answer
  }
}

/// A command with the words by which it is called: `service install`.
struct CommandPath {
  let words: [String]
  let type: any ArgumentCommand.Type

  var name: String { words.joined(separator: " ") }
}
