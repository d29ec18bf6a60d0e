extension ExactDecimal {
  /// The number in an empty cell: no value. Its text is empty, and scale and offset do not change it.
  @inlinable public static var missing: ExactDecimal { ExactDecimal(significand: 0, exponent: .min) }

  /// Whether there is no value.
  @inlinable public var isMissing: Bool { exponent == .min }

  /// Reads a decimal number, exactly or not at all: `-0.01644619`, `1e-05`, `+3`, `.5`.
  ///
  /// ```swift
  /// ExactDecimal("0.10")  // significand 10, exponent -2
  /// ExactDecimal("abc")   // nil
  /// ```
  ///
  /// Up to 18 significant digits always fit, and 19 digits fit if the number fits in 64 bits. White space around it is
  /// ignored.
  public init?(_ text: some StringProtocol) {
    var text = String(text)
    let parsed = text.withUTF8 { ExactDecimal(utf8: Self.trim($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  package static func trim(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, bytes.count)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while end > start, isSpace(bytes[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }

  /// Reads a decimal number that fills the whole buffer.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    let count = bytes.count
    var negative = false
    if index < count, bytes[index] == 0x2d || bytes[index] == 0x2b {
      negative = bytes[index] == 0x2d
      index &+= 1
    }
    var magnitude: UInt64 = 0
    var digits = 0
    var decimals = 0
    var point = false
    while index < count {
      let byte = bytes[index]
      if byte &- 0x30 < 10 {
        // Up to 18 digits need no check.
        if magnitude < 100_000_000_000_000_000 {
          magnitude = magnitude &* 10 &+ UInt64(byte &- 0x30)
        } else {
          let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
          let (sum, carry) = tens.addingReportingOverflow(UInt64(byte &- 0x30))
          guard !overflow, !carry else { return nil }
          magnitude = sum
        }
        digits &+= 1
        if point { decimals &+= 1 }
      } else if byte == 0x2e, !point {
        point = true
      } else {
        break
      }
      index &+= 1
    }
    guard digits > 0 else { return nil }
    var exponent = -decimals
    if index < count {
      guard bytes[index] | 0x20 == 0x65, let power = Self.power(bytes, from: index &+ 1) else { return nil }
      exponent += power
    }
    guard exponent >= -100, exponent <= 100, magnitude <= UInt64(Int64.max) + (negative ? 1 : 0) else { return nil }
    var significand = negative ? 0 &- Int64(bitPattern: magnitude) : Int64(bitPattern: magnitude)
    while exponent > 0 {
      // A positive exponent is applied here, so that the printed text can be parsed again.
      let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      significand = product
      exponent -= 1
    }
    self.init(significand: significand, exponent: Int8(truncatingIfNeeded: exponent))
  }

  /// The power of ten after the `e`.
  private static func power(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let power = Int(String(decoding: bytes[start...], as: UTF8.self)) else { return nil }
    return (-200...200).contains(power) ? power : nil
  }
}

extension ExactDecimal: CustomStringConvertible {
  /// The number in plain decimal notation, with all its digits; empty for a missing value.
  public var description: String {
    isMissing ? "" : plainNotation(digits: "\(significand.magnitude)", exponent: Int(exponent), significand < 0)
  }
}

extension WideDecimal: CustomStringConvertible {
  /// The number in plain decimal notation, with all its digits.
  @usableFromInline package var description: String {
    plainNotation(digits: "\(significand.magnitude)", exponent: exponent, significand < 0)
  }
}

private func plainNotation(digits: String, exponent: Int, _ isNegative: Bool) -> String {
  let sign = isNegative ? "-" : ""
  let zeros = { (count: Int) in String(repeating: "0", count: max(0, count)) }
  if exponent >= 0 { return sign + digits + (digits == "0" ? "" : zeros(exponent)) }
  // There is one digit before the point.
  let all = zeros(1 - exponent - digits.utf8.count) + digits
  return "\(sign)\(all.dropLast(-exponent)).\(all.suffix(-exponent))"
}
