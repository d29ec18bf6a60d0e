/// Finds the fault in a JSON document, and its place. Foundation's decoder does not report the place, accepts extra
/// commas, and drops one of two members with the same name.
///
/// `JSONStrings` checks the escapes.
package struct JSONSyntax {
  /// The fault, in a sentence with line and column.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  private let bytes: [UInt8]
  private var index = 0

  /// - Returns: The first fault; nil if there is none.
  package static func fault(in bytes: [UInt8]) -> Fault? {
    var syntax = JSONSyntax(bytes: bytes)
    do throws(Fault) {
      try syntax.value(depth: 0)
      syntax.skipSpace()
      guard syntax.index == bytes.count else { throw syntax.missing("the end") }
      return nil
    } catch {
      return error
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Grammar

  private mutating func value(depth: Int) throws(Fault) {
    skipSpace()
    guard let byte = next else { throw missing("a value") }
    switch byte {
    case UInt8(ascii: "{"):
      try guardDepth(depth)
      try object(depth: depth + 1)
    case UInt8(ascii: "["):
      try guardDepth(depth)
      try list(depth: depth + 1)
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default:
      for word in ["true", "false", "null"] where bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return
      }
      throw missing("a value")
    }
  }

  /// The depth is limited because the stack is limited. A decoder has the same limit.
  private func guardDepth(_ depth: Int) throws(Fault) {
    if depth == 100 { throw fault("has more than 100 objects and lists inside one another") }
  }

  private mutating func object(depth: Int) throws(Fault) {
    index += 1
    var keys: Set<ArraySlice<UInt8>> = []
    if take("}") { return }
    repeat {
      skipSpace()
      let begin = index
      guard next == UInt8(ascii: "\"") else { throw missing("a key in double quotes") }
      let key = try string()
      if !keys.insert(key).inserted {
        index = begin
        throw fault("has the key \(String(decoding: key, as: UTF8.self)) for the second time")
      }
      guard take(":") else { throw missing("a colon") }
      try value(depth: depth)
    } while take(",")
    guard take("}") else { throw missing("a comma or a closing brace") }
  }

  private mutating func list(depth: Int) throws(Fault) {
    index += 1
    if take("]") { return }
    repeat { try value(depth: depth) } while take(",")
    guard take("]") else { throw missing("a comma or a closing bracket") }
  }

  /// - Returns: The string with its quotes.
  private mutating func string() throws(Fault) -> ArraySlice<UInt8> {
    let begin = index
    index += 1
    while let byte = next, byte >= 0x20 {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return bytes[begin..<index] }
    }
    index = begin
    throw fault("has a text without a closing quote in the same line")
  }

  private mutating func number() throws(Fault) {
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
  }

  private mutating func digits() throws(Fault) {
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

  private func missing(_ what: String) -> Fault { fault("should have \(what)") }

  private func fault(_ sentence: String) -> Fault {
    let before = bytes[..<min(index, bytes.count)]
    let line = before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    // The column counts characters, like an editor.
    let column = String(decoding: before.reversed().prefix { $0 != UInt8(ascii: "\n") }.reversed(), as: UTF8.self).count
    return Fault(description: "line \(line), column \(column + 1) \(sentence)")
  }
}
