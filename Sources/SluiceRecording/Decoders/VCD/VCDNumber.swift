import SluiceReadings

/// Parses the values of a value change dump.
enum VCDNumber {
  /// The meaning of a character of a vector or a level.
  enum Bit { case zero, one, missing }

  /// `l` and `h` are weak levels. Any character other than zero and one is a missing value.
  @inline(__always)
  static func bit(_ byte: UInt8) -> Bit? {
    switch byte {
    case UInt8(ascii: "0"): .zero
    case UInt8(ascii: "1"): .one
    default: otherBit(byte | 0x20)
    }
  }

  private static func otherBit(_ lowercase: UInt8) -> Bit? {
    switch lowercase {
    case UInt8(ascii: "l"): .zero
    case UInt8(ascii: "h"): .one
    case UInt8(ascii: "x"), UInt8(ascii: "z"), UInt8(ascii: "u"), UInt8(ascii: "w"), UInt8(ascii: "-"): .missing
    default: nil
    }
  }

  /// Reads bits up to white space, and moves past them.
  /// - Returns: Nil if they are not bits. A number of more than 63 bits is ``ExactDecimal/missing``, with `isTooWide`.
  static func bits(_ next: inout UnsafePointer<UInt8>) -> (value: ExactDecimal, isTooWide: Bool)? {
    let start = next
    var (value, isMissing, isTooWide) = (Int64(0), false, false)
    while next.pointee > 0x20 {
      guard let bit = bit(next.pointee) else { return nil }
      if bit == .missing { isMissing = true }
      if value >= 1 << 62 { isTooWide = true }
      value = value &<< 1 | (bit == .one ? 1 : 0)
      next += 1
    }
    guard next > start else { return nil }
    if isMissing { return (.missing, false) }
    return (isTooWide ? .missing : ExactDecimal(significand: value), isTooWide)
  }

  /// Reads a number up to white space, and moves past it. The value is exact, or the nearest that fits.
  /// - Returns: Nil if it is not a number. A number that is too large is ``ExactDecimal/missing``, with `isTooLarge`.
  @inline(__always)
  static func real(_ next: inout UnsafePointer<UInt8>) -> (value: ExactDecimal, isTooLarge: Bool)? {
    let start = next
    if let number = PlainRow.number(&next), !number.isMissing, next.pointee <= 0x20 { return (number, false) }
    next = start
    while next.pointee > 0x20 { next += 1 }
    return anyReal(UnsafeBufferPointer(start: start, count: next - start))
  }

  @inline(never)
  private static func anyReal(_ text: UnsafeBufferPointer<UInt8>) -> (value: ExactDecimal, isTooLarge: Bool)? {
    let magnitude = text.dropFirst(text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") ? 1 : 0)
    if magnitude.count <= 8 {
      let name = String(decoding: magnitude, as: UTF8.self).lowercased()
      if name == "nan" { return (.missing, false) }
      if name == "inf" || name == "infinity" { return (.missing, true) }
    }
    guard let nearest = NearestDecimal(utf8: text) else { return nil }
    return (nearest.value ?? .missing, nearest.value == nil)
  }
}
