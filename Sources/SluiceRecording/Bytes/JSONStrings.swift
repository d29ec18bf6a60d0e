/// Checks whether the strings of a JSON document follow RFC 8259.
///
/// The decoder of Swift 6.0 traps at an invalid escape in the name of a member (FoundationEssentials,
/// JSONDecoder.swift: `try!`). Input from outside must not cause a trap.
package struct JSONStrings {
  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func areValid(_ bytes: [UInt8]) -> Bool {
    guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else { return false }
    var strings = JSONStrings(bytes)
    while strings.index < bytes.count {
      let byte = bytes[strings.index]
      strings.index += 1
      if byte == UInt8(ascii: "\""), !strings.skip() { return false }
    }
    return true
  }

  /// Moves past the end of a string.
  /// - Returns: Whether the string has an end, and only allowed characters.
  private mutating func skip() -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"): guard skipEscape() else { return false }
      case ..<0x20: return false
      default: break
      }
    }
    return false
  }

  private mutating func skipEscape() -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    index += 1
    guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
    guard let unit = codeUnit() else { return false }
    switch unit {
    case 0xd800..<0xdc00:
      guard bytes[index...].starts(with: "\\u".utf8) else { return false }
      index += 2
      return codeUnit().map { (0xdc00..<0xe000).contains($0) } ?? false
    case 0xdc00..<0xe000: return false
    default: return true
    }
  }

  private mutating func codeUnit() -> Int? {
    guard index + 4 <= bytes.count else { return nil }
    var unit = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80 else { return nil }
      unit = unit << 4 | digit
      index += 1
    }
    return unit
  }
}
