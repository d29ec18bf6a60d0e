/// What a row says to people: the names of an option, the form of its value, its sentence.
package final class ArgumentWords {
  /// What follows the name of an option.
  package enum Kind {
    /// Nothing.
    case flag
    /// Nothing; `--no-NAME` is its opposite.
    case toggle
    case value
    /// It has no name: `<source>`.
    case positional
    /// It has no name, and takes all that follows, also options.
    case rest
    /// It is no argument: a key that stands behind a comma, such as `edges=rising`. Only the help has it.
    case key
  }

  /// What follows the name.
  package let kind: Kind
  /// Without dashes; of a positional argument the form.
  package let name: String
  /// The letter of the short name.
  package let short: Character?
  /// What stands for the value: `T`, `FILE|-`.
  package let form: String
  /// Whether it can be given several times, each with a value.
  package let isRepeated: Bool
  /// Whether a positional argument has to be given.
  package let isNeeded: Bool
  /// The value that the option stands for if none follows.
  package let alone: String?
  let sentence: () -> String
  let given: () -> ArgumentCompletion
  /// Names that it had in earlier versions, without dashes.
  package internal(set) var earlier: [String] = []
  /// What another program calls it, with dashes.
  package internal(set) var elsewhere: [(program: String, name: String)] = []
  /// Whether each command has it: `--help`.
  var isCommon = false
  /// How it is written now, by its value. Such an option is taken with a notice, and is on no page.
  package internal(set) var instead: ((String) -> String)?
  /// What to do instead of giving it twice.
  package internal(set) var insteadOfTwice: String?

  init(
    _ kind: Kind, _ name: String, _ short: Character?, _ form: String, isRepeated: Bool, isNeeded: Bool,
    alone: String?, _ sentence: @escaping () -> String, _ completion: @escaping () -> ArgumentCompletion
  ) {
    (self.kind, self.name, self.short, self.form) = (kind, name, short, form)
    (self.isRepeated, self.isNeeded, self.alone) = (isRepeated, isNeeded, alone)
    (self.sentence, given) = (sentence, completion)
  }

  /// What it is for.
  package var help: String { sentence() }

  /// What a shell offers for the value.
  package var completion: ArgumentCompletion { given() }

  /// Whether it has no name.
  package var isPositional: Bool {
    switch kind {
    case .positional, .rest: true
    case .flag, .toggle, .value, .key: false
    }
  }

  /// `["-o", "--output"]`; empty for a positional argument.
  package var names: [String] {
    switch kind {
    case .positional, .rest, .key: []
    case .toggle: ["--\(name)", "--no-\(name)"]
    case .flag, .value: (short.map { ["-\($0)"] } ?? []) + ["--\(name)"]
    }
  }

  /// - Parameter name: With its dashes.
  package func has(_ name: String) -> Bool { names.contains(name) }

  /// `-o, --output <FILE>`
  package var title: String {
    switch kind {
    case .positional, .rest: "<\(form)>"
    case .toggle: names.joined(separator: "/")
    case .key: form.isEmpty ? name : "\(name)=\(form)"
    case .flag: names.joined(separator: ", ")
    case .value: "\(names.joined(separator: ", ")) <\(form)>"
    }
  }

  /// `[--server <KEY=VALUE> ...]`
  package var usage: String {
    switch kind {
    case .positional, .rest:
      let word = isNeeded ? "<\(form)>" : "[<\(form)>\(isRepeated ? " ..." : "")]"
      return isNeeded && isRepeated ? word + " ..." : word
    case .key: return ""
    case .flag, .toggle: return "[\(names.last ?? "")]"
    case .value:
      let word = "--\(name) <\(form)>"
      return isNeeded ? word : "[\(word)\(isRepeated ? " ..." : "")]"
    }
  }
}
