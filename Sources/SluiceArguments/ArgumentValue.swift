/// What a word of the command line is read as: a number, a time, one of a few names.
package protocol ArgumentValue: ArgumentPlace where Value == Self {
  /// - Returns: nil if the text is no such value.
  init?(argument: String)

  /// Why a text is no such value, for a sentence behind its form; nil if the form alone explains it.
  static func why(_ argument: String) -> String?

  /// The possible values, where the form does not have them.
  static var names: [String] { get }

  /// What a shell offers for it.
  static var completion: ArgumentCompletion { get }
}

extension ArgumentValue {
  package static func why(_ argument: String) -> String? { nil }
  package static var names: [String] { [] }
  package static var completion: ArgumentCompletion { .words { names.map { Candidate(word: $0) } } }

  package static var isRepeated: Bool { false }
  package static var isNeeded: Bool { true }
  package mutating func take(_ value: Self) { self = value }
}

extension ArgumentValue where Self: LosslessStringConvertible {
  package init?(argument: String) { self.init(argument) }
}

extension Int: ArgumentValue {}
extension UInt64: ArgumentValue {}
extension Double: ArgumentValue {}
extension String: ArgumentValue {}

/// A value that is one of a few names. The form of its option has them: `both|rising|falling`.
package protocol NamedChoice: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {}

extension NamedChoice {
  package init?(argument: String) { self.init(rawValue: argument) }
  package static var completion: ArgumentCompletion { .words { allCases.map { Candidate(word: $0.rawValue) } } }
}

/// A variable that a row fills. Its type says how often the option may be given: an array takes each value, another
/// variable one.
package protocol ArgumentPlace {
  /// What each word is read as.
  associatedtype Value: ArgumentValue
  /// Whether it takes several values.
  static var isRepeated: Bool { get }
  /// Whether a word has to be given, if the place is that of a word without an option.
  static var isNeeded: Bool { get }
  /// Keeps a value.
  mutating func take(_ value: Value)
}

extension Optional: ArgumentPlace where Wrapped: ArgumentValue {
  package static var isRepeated: Bool { false }
  package static var isNeeded: Bool { false }
  package mutating func take(_ value: Wrapped) { self = value }
}

extension Array: ArgumentPlace where Element: ArgumentValue {
  package static var isRepeated: Bool { true }
  package static var isNeeded: Bool { true }
  package mutating func take(_ value: Element) { append(value) }
}
