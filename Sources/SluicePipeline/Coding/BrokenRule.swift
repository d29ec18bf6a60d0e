/// A rule that a plan does not keep. A file and the command say it in their own words.
package struct BrokenRule: Error {
  /// The key that it is about, in the object that has the rule.
  let place: [any CodingKey]
  /// The words behind the place in a file, with a space or a colon first.
  let sentence: String
  /// The sentence of the command, with the names of its options.
  package let option: String

  init(_ place: any CodingKey..., sentence: String, option: String) {
    (self.place, self.sentence, self.option) = (place, sentence, option)
  }

  /// Nil if the rule is kept.
  init?(if isBroken: Bool, _ key: any CodingKey, _ sentence: String, option: String) {
    guard isBroken else { return nil }
    self.init(key, sentence: sentence, option: option)
  }
}
