/// How a value of a plan is written, for the schema of station files.
package indirect enum ValueForm: Equatable, Sendable {
  case text
  /// `true` or `false`.
  case flag
  case wholeNumber(from: Int?)
  case number
  case choice([String])
  /// A text with a grammar of its own.
  /// - Parameters:
  ///   - pattern: A regular expression for the whole text, as of ECMA-262.
  ///   - words: What it is, for people: `a time with its unit, such as 10ms`.
  case grammar(pattern: String, words: String)
  case list(ValueForm)
  /// A part of a plan, with settings of its own.
  case object
  case either([ValueForm])
}
