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
  /// The words after the place.
  let sentence: String
  /// Whether it is about several values together, so that it may be wrong if one of them could not be read.
  let isOfSeveral: Bool
}

extension DecodingError {
  /// - Parameters:
  ///   - path: The place of the error.
  ///   - sentence: The words after the place, with a space or a colon first: ` takes true or false`, `: there is no
  ///     such key`.
  ///   - isOfSeveral: Whether it is about several values together.
  static func plan(_ path: [any CodingKey], _ sentence: String, isOfSeveral: Bool = false) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: path, debugDescription: place(path) + sentence,
        underlyingError: PlanFault(sentence: sentence, isOfSeveral: isOfSeveral)))
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
