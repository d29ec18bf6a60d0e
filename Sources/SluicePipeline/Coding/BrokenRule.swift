/// A rule that a plan breaks. The error for a plan file and the error of the command have their own words.
package struct BrokenRule: Error {
  /// The path of keys to the fault, from the object that was checked.
  let place: [PlanKey]
  /// The end of the error for a file, after the place. It begins with a space or a colon.
  let sentence: String
  /// The sentence of the command, with the names of its options.
  package let option: String

  init(_ place: PlanKey..., sentence: String, option: String) {
    (self.place, self.sentence, self.option) = (place, sentence, option)
  }

  /// Nil if the rule is kept.
  init?(if isBroken: Bool, _ key: PlanKey, _ sentence: String, option: String) {
    guard isBroken else { return nil }
    self.init(key, sentence: sentence, option: option)
  }
}
