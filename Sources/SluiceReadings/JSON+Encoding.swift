extension JSON {
  /// Encodes a value. The members of each object keep the order in which they are encoded.
  ///
  /// Foundation's encoder sorts the members, or returns them in any order.
  /// - Throws: The errors of the value, and an `EncodingError` for a number that is not finite.
  package init(encoding value: some Encodable) throws {
    let node = JSONNode()
    try node.encode(value, at: [])
    self = node.json
  }
}

/// A node of the tree during encoding. It is a class, because a value may request a container again, and add to it.
private final class JSONNode {
  private enum Content {
    case value(JSON)
    case list, object
  }
  private var content = Content.object
  private var elements: [JSONNode] = []
  private var members: [(key: String, node: JSONNode)] = []

  var json: JSON {
    switch content {
    case .value(let value): value
    case .list: .array(elements.map(\.json))
    case .object: .object(members.map { ($0.key, $0.node.json) })
    }
  }

  func encodeNil() { content = .value(.null) }

  func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
    switch value {
    case let value as Bool: content = .value(.bool(value))
    case let value as String: content = .value(.string(value))
    case let value as ExactNumber: content = .value(.number(value.value.description))
    case let value as Double: content = .value(try Self.number(value, at: path))
    case let value as Float: content = .value(try Self.number(Double("\(value)") ?? .nan, at: path))
    // Not `any FixedWidthInteger`: that would search all conformances of the program, 0.1 ms for each type that is encoded.
    case let value as Int: content = .value(.number("\(value)"))
    case let value as Int64: content = .value(.number("\(value)"))
    case let value as Int32: content = .value(.number("\(value)"))
    case let value as Int16: content = .value(.number("\(value)"))
    case let value as Int8: content = .value(.number("\(value)"))
    case let value as UInt: content = .value(.number("\(value)"))
    case let value as UInt64: content = .value(.number("\(value)"))
    case let value as UInt32: content = .value(.number("\(value)"))
    case let value as UInt16: content = .value(.number("\(value)"))
    case let value as UInt8: content = .value(.number("\(value)"))
    default: try value.encode(to: JSONTreeEncoder(node: self, codingPath: path))
    }
  }

  /// A number without needless decimals: `2` for 2.0.
  private static func number(_ value: Double, at path: [any CodingKey]) throws -> JSON {
    guard value.isFinite else {
      throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "JSON has no number \(value)"))
    }
    return .number(Int64(exactly: value).map { "\($0)" } ?? "\(value)")
  }

  // MARK: Containers

  func becomeObject() { content = .object }
  func becomeList() { content = .list }
  var count: Int { elements.count }

  /// The node of a member: the existing one, or a new one.
  func member(_ key: String) -> JSONNode {
    if let there = members.first(where: { $0.key == key }) { return there.node }
    members.append((key, JSONNode()))
    return members[members.count - 1].node
  }

  func next() -> JSONNode {
    elements.append(JSONNode())
    return elements[elements.count - 1]
  }
}

private struct JSONTreeEncoder: Encoder {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(JSONMembers(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeList()
    return JSONElements(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONScalar(node: node, codingPath: codingPath) }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  let codingPath: [any CodingKey]

  private func encoder(_ key: any CodingKey) -> JSONTreeEncoder {
    JSONTreeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { node.member(key.stringValue).encodeNil() }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try node.member(key.stringValue).encode(value, at: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder(SuperKey()) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// The key of what a class encodes for its superclass.
private struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }

  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  func encodeNil() { node.next().encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try node.next().encode(value, at: codingPath) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    JSONTreeEncoder(node: node.next(), codingPath: codingPath).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONTreeEncoder(node: node.next(), codingPath: codingPath).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONTreeEncoder(node: node.next(), codingPath: codingPath) }
}

private struct JSONScalar: SingleValueEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]

  func encodeNil() { node.encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try node.encode(value, at: codingPath) }
}
