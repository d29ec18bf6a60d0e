/// Why a text is not JSON, with line and column.
package struct JSONFault: Error, CustomStringConvertible {
  package let description: String
}

extension JSON {
  /// Reads a document (RFC 8259). Each object has each of its names once.
  ///
  /// Foundation's decoder does not say where a fault is, takes two members of one name, and in Swift 6.0 traps at an
  /// escape that does not exist.
  package init(parsing bytes: some Collection<UInt8>) throws(JSONFault) {
    var parser = JSONParser(bytes: Array(bytes))
    self = try parser.document()
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONFault) -> JSON {
    // Editors of Windows begin a file with this mark.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    let value = try value(depth: 0)
    skipSpace()
    guard index == bytes.count else { throw missing("the end") }
    return value
  }

  // MARK: Grammar

  private mutating func value(depth: Int) throws(JSONFault) -> JSON {
    skipSpace()
    guard let byte = next else { throw missing("a value") }
    switch byte {
    case UInt8(ascii: "{"):
      try guardDepth(depth)
      return try object(depth: depth + 1)
    case UInt8(ascii: "["):
      try guardDepth(depth)
      return try list(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      for (word, value) in [("true", JSON.bool(true)), ("false", .bool(false)), ("null", .null)]
      where bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return value
      }
      throw missing("a value")
    }
  }

  /// The depth is limited because the stack is limited. The fuzzed programs have stacks of 512 KiB.
  private func guardDepth(_ depth: Int) throws(JSONFault) {
    if depth == 100 { throw fault("has more than 100 objects and lists inside one another") }
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSON {
    index += 1
    var members: [(String, JSON)] = []
    // The names are compared as bytes: two texts are equal in Swift if they look the same.
    var names: Set<[UInt8]> = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      let begin = index
      guard next == UInt8(ascii: "\"") else { throw missing("a key in double quotes") }
      let name = try string()
      if !names.insert(Array(name.utf8)).inserted {
        index = begin
        throw fault("has the key \(quoted(name, atMost: 64)) for the second time")
      }
      guard take(":") else { throw missing("a colon") }
      members.append((name, try value(depth: depth)))
    } while take(",")
    guard take("}") else { throw missing("a comma or a closing brace") }
    return .object(members)
  }

  private mutating func list(depth: Int) throws(JSONFault) -> JSON {
    index += 1
    var elements: [JSON] = []
    if take("]") { return .array([]) }
    repeat { elements.append(try value(depth: depth)) } while take(",")
    guard take("]") else { throw missing("a comma or a closing bracket") }
    return .array(elements)
  }

  private mutating func string() throws(JSONFault) -> String {
    let begin = index
    index += 1
    while let byte = next, byte >= 0x20 {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      guard byte == UInt8(ascii: "\"") else { continue }
      let text = bytes[begin + 1..<index - 1].withUnsafeBufferPointer { JSONString.text($0) }
      if let text { return text }
      index = begin
      throw fault("has a text that is not UTF-8, or has an escape that JSON does not know")
    }
    index = begin
    throw fault("has a text without a closing quote in the same line")
  }

  private mutating func number() throws(JSONFault) -> JSON {
    let start = index
    _ = skip("-")
    let begin = index
    try digits()
    if bytes[begin] == UInt8(ascii: "0"), index > begin + 1 {
      index = begin
      throw fault("has a number that begins with 0")
    }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try digits()
    }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func digits() throws(JSONFault) {
    guard let byte = next, byte &- 0x30 < 10 else { throw missing("a digit") }
    while let byte = next, byte &- 0x30 < 10 { index += 1 }
  }

  // MARK: Bytes

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() { while let byte = next, " \t\r\n".utf8.contains(byte) { index += 1 } }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    return skip(character)
  }

  // MARK: Sentences

  private func missing(_ what: String) -> JSONFault { fault("should have \(what)") }

  private func fault(_ sentence: String) -> JSONFault {
    let before = bytes[..<min(index, bytes.count)]
    let line = before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    // The column counts characters, like an editor.
    let column = String(decoding: before.reversed().prefix { $0 != UInt8(ascii: "\n") }.reversed(), as: UTF8.self).count
    return JSONFault(description: "line \(line), column \(column + 1) \(sentence)")
  }
}
