package import SluiceReadings

/// What is wrong with the arguments of a command.
extension Fault {
  static func unknownOption(_ option: String) -> Fault {
    var fault = Fault("unknown option '\(option)'")
    fault.unknownOption = option
    return fault
  }

  /// - Parameter next: What stands in the place of the value; nil at the end.
  static func noValue(option: String, form: String, next: String?) -> Fault {
    let rest = next.map { $0 == "--" ? "; -- ends the options" : "; \($0) is an option" } ?? ", and nothing follows it"
    return Fault("\(option) takes \(listed(form))\(rest)")
  }

  static func valueOfFlag(option: String, value: String) -> Fault {
    Fault("\(option) takes no value; leave out =\(value)")
  }

  static func unfit(option: String, form: String, value: String, why: String?) -> Fault {
    let value = value.isEmpty ? "an empty text" : value.contains(" ") ? "\"\(value)\"" : value
    return Fault(
      "\(option.isEmpty ? "an argument" : option) takes \(listed(form)), not \(value)\(why.map { ": \($0)" } ?? "")")
  }

  /// An argument without an option is none of a few names.
  static func unknownName(form: String, value: String, names: [String]) -> Fault {
    Fault("there is no \(form) \(value); the names are \(names.joined(separator: ", "))")
  }

  static func twice(option: String, remedy: String?) -> Fault {
    Fault("\(option) is given twice, and takes one value\(remedy.map { "; \($0)" } ?? "")")
  }

  /// - Parameter form: `<TRACE>`, `--output <DIR>`
  static func missing(form: String) -> Fault { Fault("missing argument '\(form)'") }

  static func unexpected(_ word: String) -> Fault { Fault("unexpected argument '\(word)'") }

  /// `hold or discard` for `hold|discard`.
  private static func listed(_ form: String) -> String {
    form.contains("[") ? form : form.split(separator: "|", omittingEmptySubsequences: false).joined(separator: " or ")
  }

  /// The whole sentence for the command line: what is wrong, and the page that has the right form.
  package var text: String {
    guard let command else { return argument }
    var text = argument
    if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
    return text + (text.hasSuffix("?") ? " See" : "; see") + " '\(command) --help'"
  }
}
