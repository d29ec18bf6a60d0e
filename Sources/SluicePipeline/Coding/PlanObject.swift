import SluiceReadings

/// An object of a plan during decoding. Its errors are sentences that begin with the place of the error.
struct PlanObject<Key: CodingKey> {
  private let members: KeyedDecodingContainer<PlanKey>
  private let keys: [Key]

  /// - Parameter keys: The keys that it may have. Call ``checkKeys(besides:_:)`` to check them.
  /// - Throws: If it is not an object.
  init(_ decoder: any Decoder, keys: [Key]) throws {
    self.keys = keys
    do {
      members = try decoder.container(keyedBy: PlanKey.self)
    } catch {
      throw DecodingError.plan(decoder.codingPath, " takes an object, not \(try PlanValue(from: decoder))")
    }
  }

  init(_ decoder: any Decoder) throws where Key: CaseIterable { try self.init(decoder, keys: Array(Key.allCases)) }

  /// - Parameter sentence: The end of the error for an unknown key.
  func checkKeys(besides others: [String] = [], _ sentence: String = "there is no such key") throws {
    let known = keys.map(\.stringValue) + others
    // A decoder returns keys in any order, but the same plan should always give the same error.
    guard let unknown = members.allKeys.map(\.stringValue).filter({ !known.contains($0) }).min() else { return }
    let hint = nearest(to: unknown, among: known).map { "did you mean \($0)?" }
    throw error(
      at: [PlanKey(unknown)], ": \(sentence); \(hint ?? "the keys are \(known.joined(separator: ", "))")",
      about: hint == nil ? .key : .misspeltKey)
  }

  // MARK: Values

  /// Nil if the key is missing, or null.
  func value<T: Decodable>(_ key: Key) throws -> T? { try value(at: PlanKey(key.stringValue)) }

  func value<T: Decodable>(at key: PlanKey) throws -> T? { try members.decodeIfPresent(T.self, forKey: key) }

  func required<T>(_ key: Key, _ value: T?) throws -> T {
    if let value { return value }
    throw error(at: [], " has no \"\(key.stringValue)\"", about: .several)
  }

  func text(_ key: Key) throws -> String? {
    guard let value: PlanValue = try value(key) else { return nil }
    guard case .text(let text) = value else { throw error(key, " takes a text, not \(value)") }
    // The system would end the name of a file at this character.
    if text.utf8.contains(0) { throw error(key, " has a NUL character") }
    return text
  }

  /// A path, or the name of something. A line feed in it would begin a line in a file for another program, such as the
  /// unit of a service.
  func name(_ key: Key) throws -> String? {
    let name = try text(key)
    if name?.hasControlCharacters ?? false { throw error(key, " has a line feed or another control character") }
    return name
  }

  func flag(_ key: Key) throws -> Bool? {
    guard let value: PlanValue = try value(key) else { return nil }
    if let flag = value.written.flatMap(Bool.init) { return flag }
    throw error(key, " takes true or false, not \(value)")
  }

  func number(_ key: Key, _ range: PartialRangeFrom<Int>) throws -> Int? {
    guard let value: PlanValue = try value(key) else { return nil }
    if let number = value.written.flatMap({ Int($0) }), range.contains(number) { return number }
    throw error(key, " takes a whole number of \(range.lowerBound) or more, not \(value)")
  }

  func integer(_ key: Key) throws -> Int? {
    guard let value: PlanValue = try value(key) else { return nil }
    if let number = value.written.flatMap({ Int($0) }) { return number }
    throw error(key, " takes a whole number, not \(value)")
  }

  func choice<T: RawRepresentable & CaseIterable>(_ key: Key) throws -> T? where T.RawValue == String {
    try choice(key, T.allCases.map { ($0.rawValue, $0) })
  }

  /// - Parameter choices: The allowed texts, and their values.
  func choice<T>(_ key: Key, _ choices: [(String, T)]) throws -> T? {
    guard let value: PlanValue = try value(key) else { return nil }
    if case .text(let text) = value, let choice = choices.first(where: { $0.0 == text }) { return choice.1 }
    throw error(key, " takes \(choices.map { $0.0 }.joined(separator: ", ")), not \(value)")
  }

  func list<T: Decodable>(_ key: Key) throws -> [T] {
    guard let value: PlanValue = try value(key) else { return [] }
    guard case .list = value else { throw error(key, " takes a list, not \(value)") }
    return try self.value(key) ?? []
  }

  func texts(_ key: Key) throws -> [String] {
    let values: [PlanValue] = try list(key)
    return try values.enumerated().map { index, value in
      if case .text(let text) = value, !text.isEmpty, !text.utf8.contains(0) { return text }
      throw error(at: [key, PlanKey(index)], " takes a text, not \(value)")
    }
  }

  // MARK: Errors

  func error(_ sentence: String) -> DecodingError { .plan(members.codingPath, sentence) }

  func error(_ rule: BrokenRule) -> DecodingError { error(at: rule.place, rule.sentence, about: .several) }

  func error(_ key: Key, _ sentence: String, about subject: PlanFault.Subject = .value) -> DecodingError {
    error(at: [key], sentence, about: subject)
  }

  /// - Parameter subject: What it is about.
  func error(at path: [any CodingKey], _ sentence: String, about subject: PlanFault.Subject = .value) -> DecodingError {
    .plan(members.codingPath + path, sentence, about: subject)
  }
}
