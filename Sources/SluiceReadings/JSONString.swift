/// The text between the quotes of a JSON string (RFC 8259).
package enum JSONString {
  /// - Returns: Nil if it is not UTF-8, or has an escape that JSON does not know.
  package static func text(_ raw: UnsafeBufferPointer<UInt8>) -> String? {
    guard raw.contains(UInt8(ascii: "\\")) else { return String(validating: raw, as: UTF8.self) }
    var text: [UInt8] = []
    var index = 0
    while index < raw.count {
      guard raw[index] == UInt8(ascii: "\\") else {
        text.append(raw[index])
        index += 1
        continue
      }
      index += 1
      guard index < raw.count else { return nil }
      let escape = raw[index]
      index += 1
      if escape == UInt8(ascii: "u") {
        guard let scalar = scalar(raw, &index) else { return nil }
        text += Array(String(scalar).utf8)
      } else {
        guard let byte = escapes[escape] else { return nil }
        text.append(byte)
      }
    }
    return String(validating: text, as: UTF8.self)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"),
  ]

  /// Reads the digits behind `\u`; a character beyond U+FFFF has two such escapes.
  private static func scalar(_ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
    guard let unit = unit(raw, &index) else { return nil }
    guard (0xd800..<0xdc00).contains(unit) else { return Unicode.Scalar(unit) }
    guard raw[index...].starts(with: "\\u".utf8) else { return nil }
    index += 2
    guard let low = self.unit(raw, &index), (0xdc00..<0xe000).contains(low) else { return nil }
    return Unicode.Scalar(0x1_0000 + (unit - 0xd800) << 10 + (low - 0xdc00))
  }

  private static func unit(_ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32? {
    guard index + 4 <= raw.count else { return nil }
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard raw[index] < 0x80, let digit = Character(Unicode.Scalar(raw[index])).hexDigitValue else { return nil }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }
}
