/// A known or unknown key of an object, or the index of an element.
struct PlanKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ key: String) { (stringValue, intValue) = (key, nil) }
  init(_ index: Int) { (stringValue, intValue) = ("\(index)", index) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}

/// An error whose description is a sentence.
struct PlanFault: Error {
  enum Subject {
    /// A value.
    case value
    /// A key that does not exist.
    case key
    /// A key that does not exist, in the place of one that does.
    case misspeltKey
    /// Several values together, so that it may be wrong if one of them could not be read.
    case several
  }

  /// The words after the place.
  let sentence: String
  let subject: Subject
}

extension DecodingError {
  /// - Parameters:
  ///   - path: The place of the error.
  ///   - sentence: The words after the place, with a space or a colon first: ` takes true or false`, `: there is no
  ///     such key`.
  ///   - subject: What it is about.
  static func plan(
    _ path: [any CodingKey], _ sentence: String, about subject: PlanFault.Subject = .value
  ) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: path, debugDescription: place(path) + sentence,
        underlyingError: PlanFault(sentence: sentence, subject: subject)))
  }

  /// `sources[1].sample-rate`
  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "it" }
    return path.reduce("") { place, key in
      if let index = key.intValue { return "\(place)[\(index)]" }
      return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
  }
}
