package import SluiceReadings

/// Options that belong together, as variables and the rows that say how they are written.
///
/// ```swift
/// struct RowOptions: ArgumentGroup {
///   var buffer: Int?
///   var first = false
///
///   static var rows: [ArgumentRow<Self>] {
///     [
///       .option("buffer", "N", "Keep up to N readings.", \.buffer),
///       .flag("first", "Keep the first reading.", \.first),
///     ]
///   }
/// }
/// ```
package protocol ArgumentGroup {
  /// Makes it as it is without arguments.
  init()
  /// The rows, in the order of the help.
  static var rows: [ArgumentRow<Self>] { get }
  /// Gets the names of the rows that were given, before anything is checked.
  mutating func take(given: Set<String>)
  /// Called for a command, and for each group with a given option.
  /// - Throws: A `Fault` for options that do not go together.
  func validate() throws
}

extension ArgumentGroup {
  package mutating func take(given: Set<String>) {}
  package func validate() throws {}

  /// Reads the words behind the name of a command.
  /// - Parameter notices: Gets what should be said about the values, although they are right.
  /// - Throws: The first fault. An unknown option comes before the others, because it may be their cause.
  package static func parse(_ words: [String], notices: inout [String]) throws(Fault) -> Self {
    var reader = ArgumentReader<Self>()
    let group = try reader.read(words)
    notices += reader.notices
    return group
  }

  /// Reads the words behind the name of a command, and says nothing about values that are right.
  package static func parse(_ words: [String]) throws(Fault) -> Self {
    var notices: [String] = []
    return try parse(words, notices: &notices)
  }
}

/// A command of a program: `record` of `sluice record`.
package protocol ArgumentCommand: ArgumentGroup {
  /// Its word on the command line.
  static var name: String { get }
  /// What it does, in one sentence.
  static var summary: String { get }
  /// Paragraphs behind the summary. One that begins with `Example: ` has commands.
  static var discussion: String { get }
  /// The options that its help explains at once, in this order, if it has so many that the help names the rest in
  /// groups; nil if the help explains all of them.
  static var firstOptions: [String]? { get }
  /// The commands of this one. It has no rows then.
  static var subcommands: [any ArgumentCommand.Type] { get }

  /// Does what it is for.
  func run() throws
}

extension ArgumentCommand {
  package static var discussion: String { "" }
  package static var firstOptions: [String]? { nil }
  package static var subcommands: [any ArgumentCommand.Type] { [] }

  /// Reads the words as a command, whose type the caller does not know.
  static func command(_ words: [String], _ notices: inout [String]) throws(Fault) -> any ArgumentCommand {
    try parse(words, notices: &notices)
  }
}

/// Keeps the value of a text; false if it is none, and the form says enough.
package typealias ArgumentTaking<Owner> = (inout Owner, String) throws(Fault) -> Bool
