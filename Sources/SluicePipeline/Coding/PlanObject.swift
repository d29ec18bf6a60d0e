import SluiceReadings

/// An object of a plan. Its errors are sentences that begin with the place of the error.
struct PlanObject {
  let node: PlanNode
  private let keys: [PlanKey]

  /// - Parameter keys: The keys that it may have. Call ``checkKeys(besides:_:)`` to check them.
  /// - Throws: If it is not an object.
  init(_ node: PlanNode, keys: [PlanKey]) throws(Fault) {
    guard case .object = node.json else { throw node.fault(" takes an object, not \(node.json.shown)") }
    (self.node, self.keys) = (node, keys)
  }

  /// - Parameter sentence: The end of the error for an unknown key.
  func checkKeys(besides others: [String] = [], _ sentence: String = "there is no such key") throws(Fault) {
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
  func value<T: PlanPart>(_ key: PlanKey) throws(Fault) -> T? {
    if let member = member(key) { try T(plan: member) } else { nil }
  }

  func required<T>(_ key: PlanKey, _ value: T?) throws(Fault) -> T {
    if let value { return value }
    throw node.fault(" has no \"\(key.text)\"", about: .several)
  }

  func text(_ key: PlanKey) throws(Fault) -> String? { try member(key)?.text() }
  func name(_ key: PlanKey) throws(Fault) -> String? { try member(key)?.name() }
  func number(_ key: PlanKey, _ range: PartialRangeFrom<Int>) throws(Fault) -> Int? {
    try member(key)?.number(range)
  }

  func elements(_ key: PlanKey) throws(Fault) -> [PlanNode] { try member(key)?.elements() ?? [] }

  func list<T: PlanPart>(_ key: PlanKey) throws(Fault) -> [T] {
    var list: [T] = []
    for element in try elements(key) { list.append(try T(plan: element)) }
    return list
  }

  // MARK: Errors

  func error(_ key: PlanKey, _ sentence: String, about subject: Fault.Subject = .value) -> Fault {
    error(at: [key], sentence, about: subject)
  }

  /// - Parameter subject: What it is about.
  func error(at path: [PlanKey], _ sentence: String, about subject: Fault.Subject = .value) -> Fault {
    Fault(at: node.path + path, sentence, about: subject)
  }
}
