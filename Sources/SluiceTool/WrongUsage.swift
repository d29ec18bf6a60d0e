import ArgumentParser
import SluicePipeline
import SluiceReadings

/// An error in the arguments. Its sentence says what is wrong, and which page has the right form.
struct WrongUsage: Equatable {
  let sentence: String

  /// - Parameters:
  ///   - message: The message of ArgumentParser: `Unknown option '--foo'. Did you mean '--force'?`
  ///   - command: The name of the command; nil for `sluice` alone.
  init(message: String, of command: String?) {
    var sentence = Self.invalidValue(message) ?? Self.renamed(message, command) ?? Self.rephrased(message)
    let help = "sluice \(command.map { $0 + " " } ?? "")--help"
    if sentence.hasSuffix("."), !sentence.hasSuffix("..") { sentence.removeLast() }
    sentence += sentence.hasSuffix("?") ? " See '\(help)'" : "; see '\(help)'"
    self.sentence = sentence
  }

  /// - Parameters:
  ///   - error: An error of ArgumentParser.
  ///   - arguments: The arguments of the command line.
  init(_ error: any Error, _ arguments: some Collection<String>) {
    // Without a known command, ArgumentParser would report an unknown option.
    if let unknown = Self.unknownCommand(arguments) {
      self.init(unknownCommand: unknown, isHelp: arguments.first == "help")
      return
    }
    let named = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    let command = named.flatMap { name in Self.commands.first { $0.configuration.commandName == name } }
    let message = SluiceCommand.message(for: error)
    // If an argument is missing, a misspelt option may be the cause.
    let isUnknown = message.hasPrefix("Unknown option")
    let unknown = isUnknown ? message.split(separator: "'").dropFirst().first.map(String.init) : nil
    let name = unknown ?? command.flatMap { Self.misspelt(arguments, of: $0) }
    let said = name.map { "Unknown option '\($0)'\(Self.hint($0, of: command ?? SluiceCommand.self))" }
    self.init(message: said ?? message, of: command?.configuration.commandName)
  }

  private static var commands: [any ParsableCommand.Type] { SluiceCommand.configuration.subcommands }

  /// The word in the place of the command, if it is no command.
  static func unknownCommand(_ arguments: some Collection<String>) -> String? {
    let word = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let word, !["help", "--help"].contains(word),
      !word.hasPrefix("-") || arguments.first == "help" && word.hasPrefix("--")
    else { return nil }
    if arguments.first == "help", OptionHelp(word) != nil { return nil }
    return commands.contains { $0.configuration.commandName == word } ? nil : word
  }

  /// The names of the options of a command.
  static func options(of command: any ParsableCommand.Type) -> [String] {
    let isPartOfName: (Character) -> Bool = { $0.isLetter || $0.isNumber || $0 == "-" }
    return SluiceCommand.helpMessage(for: command, includeHidden: true)
      .split { !isPartOfName($0) }.filter { $0.hasPrefix("-") }.map(String.init)
  }

  /// A suggestion for an unknown option: the same option of another command, or one with a similar name.
  private static func hint(_ name: String, of command: any ParsableCommand.Type) -> String {
    guard name.hasPrefix("--") else { return "" }
    let others = commands.filter { options(of: $0).contains(name) }.compactMap { $0.configuration.commandName }
    if let last = others.last {
      let names =
        others.count == 1
        ? "sluice \(last) has" : "sluice \(others.dropLast().joined(separator: ", ")) and \(last) have"
      return "; \(names) it"
    }
    let word = String(name.dropFirst(2))
    if commands.contains(where: { $0.configuration.commandName == word }) {
      return "; \(word) is a command of its own: sluice \(word)"
    }
    // The dashes are left out, because they would make short names similar.
    let known = options(of: command).filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    return nearest(to: word, among: known).map { "; did you mean '--\($0)'?" } ?? ""
  }

  /// The first option that the command does not have; nil if it has all of them.
  private static func misspelt(_ arguments: some Collection<String>, of command: any ParsableCommand.Type) -> String? {
    let known = options(of: command)
    for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      // A value may begin with a minus sign.
      guard word.drop(while: { $0 == "-" }).first?.isLetter == true, !word.contains(" ") else { continue }
      let name = String(word.prefix { $0 != "=" })
      // The value of a short option may follow without a space: -n10.
      let isKnown = known.contains(name) || !name.hasPrefix("--") && known.contains(String(name.prefix(2)))
      guard !isKnown, name != "--version" else { continue }
      return name
    }
    return nil
  }

  /// - Parameters:
  ///   - isHelp: Whether it stands after `sluice help`, which takes options, too.
  init(unknownCommand command: String, isHelp: Bool) {
    let commands = Self.commands.compactMap { $0.configuration.commandName }
    let topics = isHelp ? Self.commands.flatMap(Self.options).filter { $0.hasPrefix("--") } : []
    let hint = nearest(to: String(command.drop { $0 == "-" }), among: commands + topics.map { String($0.dropFirst(2)) })
      .map {
        isHelp ? "did you mean 'sluice help \($0)'?" : "did you mean \($0)?"
      }
    let kind = isHelp ? "command and no option" : "command"
    sentence =
      "there is no \(kind) \(command.isEmpty ? "without a name" : command); \(hint ?? "the commands are \(commands.joined(separator: ", ")).")"
      + " See 'sluice --help'"
  }

  /// The options of iio_readdev that have another name here.
  private static let ofIIOReadDev = [
    "-s": "--count", "--samples": "--count", "-t": "--trigger", "--buffer-size": "--length", "-T": "--idle-timeout",
    "--timeout": "--idle-timeout",
  ]
  /// The options of iio_readdev that name another machine.
  private static let ofOtherMachines: Set = ["-u", "--uri", "-N", "--network", "-a", "--auto"]

  /// The options that had another name in earlier sources.
  private static let renamings = ["--start": "--from", "--channels": "--select"]

  /// Where an option went that the command had in earlier sources.
  private static func renamed(_ message: String, _ command: String?) -> String? {
    guard message.hasPrefix("Unknown option"),
      let unknown = message.split(separator: "'").dropFirst().first.map(String.init), let name = renamings[unknown],
      let command = commands.first(where: { $0.configuration.commandName == command }),
      options(of: command).contains(name)
    else { return nil }
    return "unknown option '\(unknown)'; it is \(name)"
  }

  private static func rephrased(_ message: String) -> String {
    let unknown = message.split(separator: "'").dropFirst().first.map(String.init) ?? ""
    if message.hasPrefix("Unknown option") {
      if let name = ofIIOReadDev[unknown] {
        return "unknown option '\(unknown)'; what iio_readdev calls so is \(name)"
      }
      if ofOtherMachines.contains(unknown) {
        return
          "unknown option '\(unknown)'; sluice reads the devices of its own machine: run it there, for example with ssh"
      }
    }
    let text = message.replacing("Missing expected argument '<", with: "Missing argument '<").replacing(
      ". Did", with: "; did")
    // ArgumentParser may list several ways to read the arguments. The first one is the likely one.
    let line = text.split(separator: "\n").first ?? ""
    // A sentence of this project may begin with an argument of the user.
    let words = line.split(separator: " ", maxSplits: 2)
    let word = words.first ?? ""
    // In `Value is not a source` the first word is the user's. ArgumentParser begins with `Value to be set`, `Unknown
    // option` and the like.
    let isOfParser = ["Ambiguous", "Missing", "Multiple", "The", "Unexpected", "Unknown", "Value"].contains(word)
    guard isOfParser, words.dropFirst().first != "is" else { return String(line) }
    return line.prefix(1).lowercased() + line.dropFirst()
  }

  /// Turns `The value '5' is invalid for '--duration <T>'` into `--duration takes T, not 5: a time has a unit, such as
  /// 5ms, 5s or 5m`.
  private static func invalidValue(_ message: String) -> String? {
    let start = "The value '", middle = "' is invalid for '"
    guard message.hasPrefix(start), let place = message.ranges(of: middle).last else { return nil }
    let value = String(message[message.index(message.startIndex, offsetBy: start.count)..<place.lowerBound])
    let rest = message[place.upperBound...]
    guard let end = rest.firstIndex(of: "'") else { return nil }
    let argument = rest[..<end]
    guard let open = argument.firstIndex(of: "<"), argument.hasSuffix(">") else { return nil }
    let name = argument[..<open].split(separator: " ").joined()
    let form = String(argument[argument.index(after: open)...].dropLast())
    let reason = rest[end...].dropFirst().hasPrefix(": ") ? String(rest[end...].dropFirst(3)) : nil
    let why = (reason ?? Self.reason(value, form)).map { ": \($0)" } ?? ""
    let names = rest[end...].split(separator: "'").filter { $0.first?.isLetter == true }
    // The list in `Please provide one of 'gpio' or 'iio'.` is more helpful than the name of the argument.
    if name.isEmpty, rest.contains("one of '"), names.count > 1 {
      return "there is no \(form) \(value); the names are \(names.joined(separator: ", "))"
    }
    // It lists many of them in lines.
    let lines = rest.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
    if name.isEmpty, rest.contains("one of the following:"), lines.count > 1 {
      return "there is no \(form) \(value); the names are \(lines.joined(separator: ", "))"
    }
    return
      "\(name.isEmpty ? "an argument" : name) takes \(form.contains("[") ? form : form.replacing("|", with: " or ")), "
      + "not \(value.isEmpty ? "an empty text" : value)\(why)"
  }

  /// The reason why a value does not have the form; nil if the form alone explains it.
  private static func reason(_ value: String, _ form: String) -> String? {
    let isNumber = !value.isEmpty && value.allSatisfy { $0.isASCII && $0.isNumber }
    if form == "SIZE", isNumber { return "a size has a unit, such as \(value)k, \(value)M or \(value)G" }
    if form.hasPrefix("as-is|"), isNumber {
      return "this is the bias of a line; the buffer of an IIO device is --length"
    }
    guard form.split(whereSeparator: { !$0.isLetter }).contains("T") else { return nil }
    if value.prefix(5).last == "-", Int(value.prefix(4)) != nil {
      return "a date is of 1678 to 2261, in a form such as 2026-11-21T12:00:00Z"
    }
    let time = value.split(separator: "=").last?.split(separator: ":").first.map(String.init) ?? value
    if Double(time) == 0 { return "it is more than 0" }
    if !time.isEmpty, time.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) {
      return form.contains("SIZE")
        ? "a number has a unit, such as \(time)M or \(time)h"
        : "a time has a unit, such as \(time)ms, \(time)s or \(time)m"
    }
    if form.contains("SIZE") { return nil }
    guard let unit = time.firstIndex(where: { $0.isLetter }), let number = Double(time[..<unit]) else { return nil }
    if TimeSpan("1\(time[unit...])") == nil { return "the units of time are ns, us, ms, s, m, h and d" }
    return number <= 0 ? "a time is more than zero" : nil
  }
}
