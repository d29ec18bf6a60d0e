/// What is wrong with the arguments of a command.
package struct ArgumentFault: Error, Equatable, CustomStringConvertible {
  /// What was written, what is wrong with it, and what to write.
  package enum Problem: Equatable, Sendable {
    case unknownOption(String)
    /// - Parameter next: What stands in the place of the value; nil at the end.
    case noValue(option: String, form: String, next: String?)
    case valueOfFlag(option: String, value: String)
    case unfit(option: String, form: String, value: String, why: String?)
    /// An argument without an option is none of a few names.
    case unknownName(form: String, value: String, names: [String])
    case twice(option: String, remedy: String?)
    /// - Parameter form: `<TRACE>`, `--output <DIR>`
    case missing(form: String)
    case unexpected(String)
    /// Something else, in a sentence.
    case other(String)
  }

  /// What is wrong.
  package let problem: Problem
  /// What the user may have meant, as the end of the sentence; empty if nothing is near.
  package var hint = ""
  /// The command, to which the sentence refers: `sluice record`.
  package var command: String?

  /// A fault of which the words are known.
  package init(_ problem: Problem) { self.problem = problem }

  /// A fault that only a command can know: two options that exclude each other.
  package init(_ sentence: String) { problem = .other(sentence) }

  /// The sentence, without the program before it and without the page behind it.
  package var description: String { sentence + hint }

  private var sentence: String {
    switch problem {
    case .unknownOption(let option): "unknown option '\(option)'"
    case .noValue(let option, let form, let next?):
      next == "--"
        ? "\(option) takes \(Self.listed(form)); -- ends the options"
        : "\(option) takes \(Self.listed(form)); \(next) is an option"
    case .noValue(let option, let form, nil): "\(option) takes \(Self.listed(form)), and nothing follows it"
    case .valueOfFlag(let option, let value): "\(option) takes no value; leave out =\(value)"
    case .unfit(let option, let form, let value, let why):
      "\(option.isEmpty ? "an argument" : option) takes \(Self.listed(form)), "
        + "not \(value.isEmpty ? "an empty text" : value.contains(" ") ? "\"\(value)\"" : value)\(why.map { ": \($0)" } ?? "")"
    case .unknownName(let form, let value, let names):
      "there is no \(form) \(value); the names are \(names.joined(separator: ", "))"
    case .twice(let option, let remedy):
      "\(option) is given twice, and takes one value\(remedy.map { "; \($0)" } ?? "")"
    case .missing(let form): "missing argument '\(form)'"
    case .unexpected(let word): "unexpected argument '\(word)'"
    case .other(let sentence): sentence
    }
  }

  /// `hold or discard` for `hold|discard`.
  private static func listed(_ form: String) -> String {
    form.contains("[") ? form : form.split(separator: "|", omittingEmptySubsequences: false).joined(separator: " or ")
  }

  /// The whole sentence: what is wrong, and the page that has the right form.
  package var text: String {
    guard let command else { return description }
    var text = description
    if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
    return text + (text.hasSuffix("?") ? " See" : "; see") + " '\(command) --help'"
  }
}
