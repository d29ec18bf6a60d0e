import SluiceReadings
import SluiceSystem

/// A position in a buffer of text. It checks nothing: the caller must provide space for the text and
/// ``DecimalDigits/slack`` more bytes.
package struct TextCursor {
  package var next: UnsafeMutablePointer<UInt8>

  package init(next: UnsafeMutablePointer<UInt8>) { self.next = next }

  /// The longest text of a number: 39 digits, a sign, a point, and zeros for an exponent of -254 to 254.
  package static let longestNumber = 320

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  @inline(__always)
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    memcpy(next, start, bytes.count)
    next += bytes.count
  }

  @inline(__always)
  package mutating func append(_ value: Int64) {
    sign(value < 0)
    next += DecimalDigits.write(value.magnitude, to: next)
  }

  /// Appends a time. Usually its first digits are those of the previous time.
  @inline(__always)
  mutating func append(_ time: Int64, after recent: inout RecentTime) {
    let upper = UInt64(bitPattern: time) / 100_000_000
    guard upper == recent.upper else {
      let start = next
      append(time)
      // Not for times below zero or with few digits, because their first digits are not separate. The largest times
      // have the same `upper` as the times just below zero.
      if (1_000_000_000..<9_223_372_036_800_000_000).contains(time) {
        recent = RecentTime(upper: upper, start: UnsafePointer(start), count: next - start - 8)
      }
      return
    }
    let start = UnsafeMutableRawPointer(next)
    start.storeBytes(of: recent.text.0, as: UInt64.self)
    start.storeBytes(of: recent.text.1, toByteOffset: 8, as: UInt64.self)
    next += recent.count
    DecimalDigits.writeEight(UInt64(bitPattern: time) &- upper &* 100_000_000, to: next)
    next += 8
  }

  /// Appends a value; nothing for a missing value.
  @inline(__always)
  mutating func append(_ value: ExactDecimal) {
    if value.exponent == 0 { return append(value.significand) }
    append(value.significand.magnitude, negative: value.significand < 0, exponent: value.exponent)
  }

  @inline(__always)
  private mutating func append(_ magnitude: UInt64, negative: Bool, exponent: Int8) {
    let decimals = 0 &- Int(exponent)
    if decimals > 0, decimals < 8, magnitude < 100_000_000 {
      sign(negative)
      next += DecimalDigits.write(magnitude, decimals: decimals, to: next)
    } else {
      self = appending(magnitude, negative: negative, exponent: exponent)
    }
  }

  /// Not inlined: a cursor passed by address would be in memory instead of a register.
  @inline(never)
  private func appending(_ magnitude: UInt64, negative: Bool, exponent: Int8) -> TextCursor {
    if exponent == .min { return self }  // missing
    var cursor = self
    cursor.sign(negative)
    cursor.place(DecimalDigits.write(magnitude, to: cursor.next), exponent: Int(exponent))
    return cursor
  }

  @inline(never)
  mutating func append(_ value: WideDecimal) {
    let magnitude = value.significand.magnitude
    if let small = UInt64(exactly: magnitude), value.exponent >= -100, value.exponent <= 100 {
      return append(
        small, negative: value.significand < 0, exponent: Int8(truncatingIfNeeded: value.exponent))
    }
    sign(value.significand < 0)
    // Of at most 39 digits, the upper 23 are below 2^77, and the upper 7 of these are below 2^24.
    let (rest, last) = magnitude.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
    let (first, middle) = rest.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
    var digits = 0
    for part in [first, middle, last] {
      let part = UInt64(truncatingIfNeeded: part)
      if digits > 0 {
        DecimalDigits.writeSixteen(part, to: next + digits)
        digits += 16
      } else if part > 0 {
        digits = DecimalDigits.write(part, to: next)
      }
    }
    if digits == 0 { digits = DecimalDigits.write(0, to: next) }
    place(digits, exponent: value.exponent)
  }

  @inline(__always)
  private mutating func sign(_ negative: Bool) {
    next.pointee = UInt8(ascii: "-")
    next += negative ? 1 : 0
  }

  /// Inserts point and zeros into the digits at the cursor, and moves past the number.
  @inline(never)
  private mutating func place(_ digits: Int, exponent: Int) {
    let decimals = Swift.max(0, -exponent)
    let whole = digits - decimals
    if decimals == 0 {
      let zeros = digits == 1 && next.pointee == UInt8(ascii: "0") ? 0 : exponent
      memset(next + digits, 0x30, zeros)
      next += digits + zeros
    } else if whole > 0 {
      memmove(next + whole + 1, next + whole, decimals)
      next[whole] = UInt8(ascii: ".")
      next += digits + 1
    } else {
      // There is one digit before the point.
      memmove(next + 2 - whole, next, digits)
      memset(next, 0x30, 2 - whole)
      next[1] = UInt8(ascii: ".")
      next += decimals + 2
    }
  }
}

/// The digits of a time except the last eight, as text. They are valid for a tenth of a second.
struct RecentTime {
  fileprivate var upper = UInt64.max
  fileprivate var text: (UInt64, UInt64) = (0, 0)
  fileprivate var count = 0

  init() {}

  /// - Parameters:
  ///   - start: A pointer to at least 16 readable bytes.
  ///   - count: The number of digits among them, at most 11.
  fileprivate init(upper: UInt64, start: UnsafePointer<UInt8>, count: Int) {
    self.upper = upper
    self.count = count
    text = UnsafeRawPointer(start).loadUnaligned(as: (UInt64, UInt64).self)
  }
}
