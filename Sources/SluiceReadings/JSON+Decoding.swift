extension JSON {
  /// Decodes a value. A number has to be one of the type that it becomes, and has no quotes.
  /// - Parameters:
  ///   - isCount: Whether an `Int` is a count, which cannot be less than 0.
  /// - Throws: A `DecodingError` with the place, and the errors of the types.
  package func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, isCount: Bool = false
  ) throws -> Value {
    try JSONTreeDecoder(json: self, codingPath: [], isCount: isCount).decode(type)
  }
}

package struct JSONTreeDecoder: Decoder {
  package let json: JSON
  package let codingPath: [any CodingKey]
  let isCount: Bool
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
  }

  fileprivate func inside(_ json: JSON, _ key: any CodingKey) -> JSONTreeDecoder {
    JSONTreeDecoder(json: json, codingPath: codingPath + [key], isCount: isCount)
  }

  fileprivate func inside(_ json: JSON, _ index: Int) -> JSONTreeDecoder { inside(json, Index(index)) }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = json else { throw mismatch(type, "an object") }
    return KeyedDecodingContainer(
      JSONMembers(decoder: self, members: Dictionary(members) { first, _ in first }, names: members.map(\.0)))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw mismatch([Any].self, "a list") }
    return JSONElements(decoder: self, elements: elements)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { JSONScalar(decoder: self) }

  fileprivate var isNull: Bool { if case .null = json { true } else { false } }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Apart, because nil would be a value of an optional type.
    if let scalar = try scalar(type), let value = scalar as? Value { return value }
    return try Value(from: self)
  }

  /// Nil for a type with a decoder of its own. The types are compared one by one, because a search for a conformance
  /// goes through all those of the program.
  private func scalar(_ type: any Decodable.Type) throws -> (any Decodable)? {
    if type == String.self {
      guard case .string(let text) = json else { throw mismatch(type, "a text") }
      return text
    }
    if type == Bool.self {
      guard case .bool(let flag) = json else { throw mismatch(type, "true or false") }
      return flag
    }
    if type == Int.self { return try whole(Int.self, from: isCount ? 0 : .min) }
    if type == UInt.self { return try whole(UInt.self, from: 0) }
    if type == Int64.self { return try whole(Int64.self, from: .min) }
    if type == UInt64.self { return try whole(UInt64.self, from: 0) }
    if type == Int8.self { return try whole(Int8.self, from: .min) }
    if type == Int16.self { return try whole(Int16.self, from: .min) }
    if type == Int32.self { return try whole(Int32.self, from: .min) }
    if type == UInt32.self { return try whole(UInt32.self, from: 0) }
    if type == UInt16.self { return try whole(UInt16.self, from: 0) }
    if type == UInt8.self { return try whole(UInt8.self, from: 0) }
    if type == Double.self { return try real(Double.self) }
    if type == Float.self { return try real(Float.self) }
    if type == ExactNumber.self {
      switch json {
      case .number(let text), .string(let text):
        if let number = ExactDecimal(text) { return ExactNumber(number) }
        throw corrupted("is \(shortened(text)), which is no number whose digits fit in 64 bits")
      default: throw mismatch(type, "a number")
      }
    }
    return nil
  }

  private func real<Value: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
    _ type: Value.Type
  ) throws -> Value {
    guard case .number(let digits) = json else { throw mismatch(type, "a number") }
    guard let number = Value(digits), number.isFinite else {
      throw corrupted("is \(shortened(digits)), which is too large")
    }
    return number
  }

  private func shortened(_ digits: String) -> String { digits.count > 64 ? "\(digits.prefix(64))…" : digits }

  /// A whole number, also one such as `1e3` or `2.0`.
  private func whole<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, from least: Value) throws -> Value {
    guard case .number(let digits) = json else { throw mismatch(type, "a whole number") }
    let number = Value(digits) ?? ExactDecimal(digits)?.whole(power: 0).flatMap { Value(exactly: $0) }
    guard let number, number >= least else {
      throw corrupted("is \(shortened(digits)), which is no whole number whose digits fit in 64 bits")
    }
    return number
  }

  private func mismatch(_ type: any Any.Type, _ form: String) -> DecodingError {
    if isNull {
      return .valueNotFound(type, .init(codingPath: codingPath, debugDescription: "takes \(form), not null"))
    }
    return .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "takes \(form)"))
  }

  private func corrupted(_ sentence: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: sentence))
  }
}

private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: JSONTreeDecoder
  let members: [String: JSON]
  let names: [String]
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

  private func member(_ key: Key) throws -> JSONTreeDecoder {
    if let json = members[key.stringValue] { return decoder.inside(json, key) }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "has no member \"\(key.stringValue)\""))
  }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

private struct JSONElements: UnkeyedDecodingContainer {
  let decoder: JSONTreeDecoder
  let elements: [JSON]
  var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private mutating func next() throws -> JSONTreeDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self, .init(codingPath: codingPath, debugDescription: "has \(elements.count) elements"))
    }
    defer { currentIndex += 1 }
    return decoder.inside(elements[currentIndex], currentIndex)
  }

  mutating func decodeNil() -> Bool {
    guard !isAtEnd, case .null = elements[currentIndex] else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct JSONScalar: SingleValueDecodingContainer {
  let decoder: JSONTreeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.isNull }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
