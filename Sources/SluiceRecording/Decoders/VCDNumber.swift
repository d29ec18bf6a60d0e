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
    if let exact = ExactDecimal(utf8: text) { return (exact, false) }
    let isNegative = text.first == UInt8(ascii: "-")
    let magnitude = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
    if magnitude.count <= 8 {
      let name = String(decoding: magnitude, as: UTF8.self).lowercased()
      if name == "nan" { return (.missing, false) }
      if name == "inf" || name == "infinity" { return (.missing, true) }
    }
    guard let parts = parts(magnitude) else { return nil }
    guard let nearest = nearest(parts.significand, parts.exponent) else { return (.missing, true) }
    return (
      ExactDecimal(significand: isNegative ? -nearest.significand : nearest.significand, exponent: nearest.exponent),
      false
    )
  }

  /// A number as `significand * 10^exponent`, rounded to 18 digits.
  private static func parts(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> (significand: Int64, exponent: Int)? {
    var (significand, exponent, count, digits) = (Int64(0), 0, 0, 0)
    var isBehindPoint = false
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
      } else if (0x30...0x39).contains(byte) {
        count += 1
        if digits > 0 || byte > 0x30 { digits += 1 }
        if digits <= 18 {
          significand = significand * 10 + Int64(byte - 0x30)
        } else if digits == 19, byte >= 0x35 {
          significand += 1
        }
        exponent += (digits > 18 ? 1 : 0) - (isBehindPoint ? 1 : 0)
      } else {
        break
      }
      index += 1
    }
    guard count > 0 else { return nil }
    if index < text.endIndex {
      guard text[index] | 0x20 == UInt8(ascii: "e"), let power = power(text[(index + 1)...]) else { return nil }
      exponent += power
    }
    return (significand, exponent)
  }

  /// An exponent. It stops at 100,000,000, because no line has that many digits.
  private static func power(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let power = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 100_000_000) }
    return isNegative ? -power : power
  }

  /// The value with an exponent that fits; nil if the number is too large.
  private static func nearest(_ significand: Int64, _ exponent: Int) -> ExactDecimal? {
    var (significand, exponent) = (significand, exponent)
    guard significand > 0 else { return .zero }
    if exponent < -100 {
      guard exponent >= -118 else { return .zero }
      let divisor = (0..<(-100 - exponent)).reduce(Int64(1)) { power, _ in power * 10 }
      significand = significand / divisor + (significand % divisor >= divisor - significand % divisor ? 1 : 0)
      exponent = -100
    }
    while exponent > 0 {
      let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
      if overflow { break }
      (significand, exponent) = (product, exponent - 1)
    }
    return exponent > 100 ? nil : ExactDecimal(significand: significand, exponent: Int8(exponent))
  }
}
