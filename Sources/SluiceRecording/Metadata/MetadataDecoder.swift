import SluiceReadings

/// Reads a ``MetadataDocument``: adds the prefix to the names inside of its members, and reads whole numbers from
/// strings. So a type such as `Loss` has the same members here as in an account, where they have no prefix.
///
/// An `Int` is a count, and cannot be less than 0.
struct MetadataDecoder: Decoder {
  /// A value that is decoded so.
  struct Read<Value: Decodable>: Decodable {
    let value: Value
    init(from decoder: any Decoder) throws { value = try MetadataDecoder(base: decoder).read(Value.self) }
  }

  fileprivate struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: any CodingKey, _ prefix: String) { stringValue = prefix + key.stringValue }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let base: any Decoder
  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      Members(
        base: try base.container(keyedBy: Name.self),
        prefix: codingPath.first.map { MetadataDocument.prefix(inside: $0.stringValue) } ?? ""))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Elements(base: try base.unkeyedContainer()) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { Scalar(decoder: self) }

  fileprivate func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == String.self || type == Bool.self { return try base.singleValueContainer().decode(type) }
    if type == Int64.self, let number = try whole(from: .min) as? Value { return number }
    if type == Int.self, let number = try Int(exactly: whole(from: 0)) as? Value { return number }
    return try Value(from: self)
  }

  private func whole(from least: Int64) throws -> Int64 {
    let container = try base.singleValueContainer()
    let text = try container.decode(String.self)
    guard let number = ExactDecimal(text)?.whole(power: 0), number >= least else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "is \(text), which is no whole number whose digits fit in 64 bits")
    }
    return number
  }
}

// MARK: Containers

extension MetadataDecoder {
  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Name>
    let prefix: String
    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] {
      base.allKeys.compactMap { name in
        name.stringValue.hasPrefix(prefix) ? Key(stringValue: String(name.stringValue.dropFirst(prefix.count))) : nil
      }
    }

    private func name(_ key: any CodingKey) -> Name { Name(key, prefix) }

    func contains(_ key: Key) -> Bool { base.contains(name(key)) }
    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: name(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try base.decode(Read<Value>.self, forKey: name(key)).value
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { MetadataDecoder(base: try base.superDecoder()) }
    func superDecoder(forKey key: Key) throws -> any Decoder {
      MetadataDecoder(base: try base.superDecoder(forKey: name(key)))
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try base.decode(Read<Value>.self).value
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { MetadataDecoder(base: try base.superDecoder()) }
  }

  private struct Scalar: SingleValueDecodingContainer {
    let decoder: MetadataDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { (try? decoder.base.singleValueContainer().decodeNil()) ?? false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.read(type) }
  }
}
