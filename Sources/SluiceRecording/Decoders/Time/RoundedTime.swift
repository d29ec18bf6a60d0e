import SluiceReadings

/// A time rounded to the nearest nanosecond. A half is rounded away from zero.
struct RoundedTime: Equatable {
  var nanoseconds: Int64
  /// Whether the text was finer than a nanosecond.
  var isRounded = false

  /// - Parameter power: The unit is ten to this power nanoseconds.
  /// - Returns: Nil for a missing value, and for a time that does not fit.
  init?(_ value: ExactDecimal, power: Int) {
    guard !value.isMissing else { return nil }
    let shift = Int(value.exponent) + power
    guard shift < 0 else {
      guard let whole = value.whole(power: power) else { return nil }
      nanoseconds = whole
      return
    }
    guard -shift < Self.powers.count else {
      // Less than half a nanosecond, or 0.
      (nanoseconds, isRounded) = (0, value.significand != 0)
      return
    }
    let divisor = Self.powers[-shift]
    let (quotient, remainder) = value.significand.magnitude.quotientAndRemainder(dividingBy: divisor)
    let magnitude = quotient + (remainder >= divisor - remainder ? 1 : 0)  // at least 10 times smaller, so it fits
    nanoseconds = value.significand < 0 ? 0 - Int64(magnitude) : Int64(magnitude)
    isRounded = remainder != 0
  }

  /// Ten to the power of the index, for all powers that fit in 64 bits.
  private static let powers: [UInt64] = (0..<20).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// Reads a decimal number of any length that fills the whole buffer.
  /// - Parameters:
  ///   - zero: The time from which the number counts. The number alone may not fit.
  ///   - pointBits: See ``CSVDialect/pointBits``.
  /// - Returns: Nil if the text is not a number, or if the time does not fit.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, power: Int, since zero: Int64 = 0, pointBits: UInt8 = 0) {
    guard let text = DecimalText(bytes, pointBits: pointBits) else { return nil }
    let whole = text.wholeDigits + power  // the number of digits before the decimal point, in nanoseconds
    var magnitude: UInt64 = 0
    var position = 0
    var isUp = false
    for byte in bytes[text.digits] where byte &- 0x30 < 10 {
      let digit = UInt64(byte &- 0x30)
      if position < whole {
        guard let longer = Self.appending(digit, to: magnitude) else { return nil }
        magnitude = longer
      } else {
        if position == whole { isUp = digit >= 5 }
        isRounded = isRounded || digit != 0
      }
      position += 1
    }
    while position < whole, magnitude != 0 {
      guard let longer = Self.appending(0, to: magnitude) else { return nil }
      magnitude = longer
      position += 1
    }
    let (sum, overflow) = magnitude.addingReportingOverflow(isUp ? 1 : 0)
    guard !overflow, let time = Int64(exactly: (text.isNegative ? -Int128(sum) : Int128(sum)) + Int128(zero)) else {
      return nil
    }
    nanoseconds = time
  }

  private static func appending(_ digit: UInt64, to magnitude: UInt64) -> UInt64? {
    let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tens.addingReportingOverflow(digit)
    return overflow || carry ? nil : sum
  }
}

/// The parts of a decimal number as text of any length: `-12.50e3`.
struct DecimalText {
  var isNegative = false
  /// The range of the digits, with the point.
  var digits: Range<Int>
  /// The number of digits before the point, after the exponent is applied. It may be negative, or greater than the
  /// number of digits.
  var wholeDigits: Int
  var hasPoint = false

  /// The longest exponent. No sensor writes a longer one.
  private static let longestExponent = 4

  /// - Parameter pointBits: See ``CSVDialect/pointBits``.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, pointBits: UInt8 = 0) {
    var index = 0
    if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      index = 1
    }
    let start = index
    var count = 0
    var point: Int?
    while index < bytes.count {
      let byte = bytes[index]
      if byte &- 0x30 < 10 {
        count += 1
      } else if byte | pointBits == UInt8(ascii: "."), point == nil {
        point = count
      } else {
        break
      }
      index += 1
    }
    guard count > 0 else { return nil }
    digits = start..<index
    wholeDigits = point ?? count
    hasPoint = point != nil
    guard index < bytes.count else { return }
    guard bytes[index] | 0x20 == UInt8(ascii: "e"),
      let exponent = Self.exponent(UnsafeBufferPointer(rebasing: bytes[(index + 1)...]))
    else { return nil }
    wholeDigits += exponent
  }

  private static func exponent(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var digits = bytes[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    guard (1...longestExponent).contains(digits.count), digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    let exponent = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    return isNegative ? -exponent : exponent
  }
}
