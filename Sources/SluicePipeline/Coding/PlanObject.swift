import SluiceReadings

/// An object of a plan. Its errors are sentences that begin with the place of the error.
struct PlanObject {
  let node: PlanNode
  private let keys: [PlanKey]

  /// - Parameter keys: The keys that it may have. Call ``checkKeys(besides:_:)`` to check them.
  /// - Throws: If it is not an object.
  init(_ node: PlanNode, keys: [PlanKey]) throws {
    guard case .object = node.json else { throw node.fault(" takes an object, not \(node.json.shown)") }
    (self.node, self.keys) = (node, keys)
  }

  /// - Parameter sentence: The end of the error for an unknown key.
  func checkKeys(besides others: [String] = [], _ sentence: String = "there is no such key") throws {
    let known = keys.map(\.text) + others
    guard let unknown = node.json.members.map(\.0).filter({ !known.contains($0) }).min() else { return }
    let hint = nearest(to: unknown, among: known).map { "did you mean \($0)?" }
    throw error(
      PlanKey(unknown), ": \(sentence); \(hint ?? "the keys are \(known.joined(separator: ", "))")",
      about: hint == nil ? .key : .misspeltKey)
  }

  // MARK: Values

  /// Nil if the key is missing, or null.
  func member(_ key: PlanKey) -> PlanNode? {
    guard let json = node.json.members.first(where: { $0.0 == key.text })?.1 else { return nil }
    if case .null = json { return nil }
    return node.inside(json, key)
  }

  /// Nil if the key is missing, or null.
  func value<T: PlanPart>(_ key: PlanKey) throws -> T? { try member(key).map { try T(plan: $0) } }

  func required<T>(_ key: PlanKey, _ value: T?) throws -> T {
    if let value { return value }
    throw node.fault(" has no \"\(key.text)\"", about: .several)
  }

  func text(_ key: PlanKey) throws -> String? {
    guard let value = member(key) else { return nil }
    guard case .string(let text) = value.json else { throw value.fault(" takes a text, not \(value.json.shown)") }
    // The system would end the name of a file at this character.
    if text.utf8.contains(0) { throw value.fault(" has a NUL character") }
    return text
  }

  /// A path, or the name of something. A line feed in it would begin a line in a file for another program, such as the
  /// unit of a service.
  func name(_ key: PlanKey) throws -> String? {
    let name = try text(key)
    if name?.hasControlCharacters ?? false { throw error(key, " has a line feed or another control character") }
    return name
  }

  func flag(_ key: PlanKey) throws -> Bool? {
    guard let value = member(key) else { return nil }
    if let flag = value.json.written.flatMap(Bool.init) { return flag }
    throw value.fault(" takes true or false, not \(value.json.shown)")
  }

  func number(_ key: PlanKey, _ range: PartialRangeFrom<Int>) throws -> Int? {
    guard let value = member(key) else { return nil }
    if let number = value.json.written.flatMap({ Int($0) }), range.contains(number) { return number }
    throw value.fault(" takes a whole number of \(range.lowerBound) or more, not \(value.json.shown)")
  }

  func integer(_ key: PlanKey) throws -> Int? {
    guard let value = member(key) else { return nil }
    if let number = value.json.written.flatMap({ Int($0) }) { return number }
    throw value.fault(" takes a whole number, not \(value.json.shown)")
  }

  func choice<T: RawRepresentable & CaseIterable>(_ key: PlanKey) throws -> T? where T.RawValue == String {
    try choice(key, T.allCases.map { ($0.rawValue, $0) })
  }

  /// - Parameter choices: The allowed texts, and their values.
  func choice<T>(_ key: PlanKey, _ choices: [(String, T)]) throws -> T? {
    guard let value = member(key) else { return nil }
    if case .string(let text) = value.json, let choice = choices.first(where: { $0.0 == text }) { return choice.1 }
    throw value.fault(" takes \(choices.map { $0.0 }.joined(separator: ", ")), not \(value.json.shown)")
  }

  func list<T: PlanPart>(_ key: PlanKey) throws -> [T] {
    guard let value = member(key) else { return [] }
    guard case .array(let elements) = value.json else { throw value.fault(" takes a list, not \(value.json.shown)") }
    return try elements.enumerated().map { try T(plan: value.inside($1, PlanKey($0))) }
  }

  func texts(_ key: PlanKey) throws -> [String] {
    let values: [JSON] = try list(key)
    return try values.enumerated().map { index, value in
      if case .string(let text) = value, !text.isEmpty, !text.utf8.contains(0) { return text }
      throw error(at: [key, PlanKey(index)], " takes a text, not \(value.shown)")
    }
  }

  // MARK: Errors

  func error(_ rule: BrokenRule) -> PlanFault { error(at: rule.place, rule.sentence, about: .several) }

  func error(_ key: PlanKey, _ sentence: String, about subject: PlanFault.Subject = .value) -> PlanFault {
    error(at: [key], sentence, about: subject)
  }

  /// - Parameter subject: What it is about.
  func error(at path: [PlanKey], _ sentence: String, about subject: PlanFault.Subject = .value) -> PlanFault {
    PlanFault(path: node.path + path, sentence: sentence, subject: subject)
  }
}
