/// A time span is a text: `"100ms"`.
extension TimeSpan: PlanText {
  /// The part of a regular expression for a time.
  static let pattern = "([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|ms|s|m|min|h|d)"
  package static let form = "a time with its unit, such as 250us, 10ms or 2s"
}

extension ValueForm {
  static let time = ValueForm.grammar(pattern: "^\(TimeSpan.pattern)$", words: TimeSpan.form)
}
