/// The number of a text, rounded to the digits that fit in 64 bits: 18, or 19 if they fit.
///
/// A scaled value may be written with 38 digits. Its reader keeps as many of them as a reading can hold.
package struct NearestDecimal {
  /// The nearest number; nil if it is too large, from about 10^119 on.
  package var value: ExactDecimal?
  /// Whether the number has other digits.
  package var isRounded = false

  private init(_ value: ExactDecimal) { self.value = value }

  /// No value.
  package static var missing: NearestDecimal { NearestDecimal(.missing) }

  /// Reads a decimal number that fills the whole buffer.
  /// - Returns: Nil if it is not a number.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    if let exact = ExactDecimal(utf8: text) {
      self.init(exact)
      return
    }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
    guard let parts = Parts(digits) else { return nil }
    self.init(parts, isNegative: isNegative)
  }

  /// The nearest number to `significand * 10^exponent`.
  package init(significand: Int64, exponent: Int) {
    self.init(Parts(Int64(clamping: significand.magnitude), exponent), isNegative: significand < 0)
  }

  private init(_ parts: Parts, isNegative: Bool) {
    var parts = parts
    value = parts.nearest().map {
      ExactDecimal(significand: isNegative ? -$0.significand : $0.significand, exponent: $0.exponent)
    }
    isRounded = parts.isRounded
  }

  /// A number without its sign, as `significand * 10^exponent`.
  private struct Parts {
    private var significand: Int64
    private var exponent: Int
    private(set) var isRounded = false

    init(_ significand: Int64, _ exponent: Int) {
      self.significand = significand
      self.exponent = exponent
    }

    init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
      // The first 19 digits, the digit after them, and whether a later one is not zero.
      var (first, next, hasMore) = (UInt64(0), UInt8(0), false)
      var (exponent, count, digits) = (0, 0, 0)
      var isBehindPoint = false
      var index = text.startIndex
      while index < text.endIndex {
        let byte = text[index]
        if byte == UInt8(ascii: "."), !isBehindPoint {
          isBehindPoint = true
        } else if (0x30...0x39).contains(byte) {
          count += 1
          if digits > 0 || byte > 0x30 { digits += 1 }
          if digits <= 19 {
            first = first * 10 + UInt64(byte - 0x30)
          } else if digits == 20 {
            next = byte - 0x30
          } else if byte > 0x30 {
            hasMore = true
          }
          exponent += (digits > 19 ? 1 : 0) - (isBehindPoint ? 1 : 0)
        } else {
          break
        }
        index += 1
      }
      guard count > 0 else { return nil }
      if index < text.endIndex {
        guard text[index] | 0x20 == UInt8(ascii: "e"), let power = Self.power(text[(index + 1)...]) else { return nil }
        exponent += power
      }
      isRounded = next > 0 || hasMore
      if first > UInt64(Int64.max) || (first == UInt64(Int64.max) && next >= 5) {
        next = UInt8(first % 10)
        isRounded = isRounded || next > 0
        first /= 10
        exponent += 1
      }
      significand = Int64(first) + (next >= 5 ? 1 : 0)
      self.exponent = exponent
    }

    /// An exponent of at most 100,000,000, because no line has that many digits.
    private static func power(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
      let isNegative = text.first == UInt8(ascii: "-")
      let digits = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
      guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      let power = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 100_000_000) }
      return isNegative ? -power : power
    }

    /// The value with an exponent that fits; nil if the number is too large.
    mutating func nearest() -> ExactDecimal? {
      guard significand > 0 else { return .zero }
      if exponent < -100 {
        guard exponent >= -119 else {
          isRounded = true
          return .zero
        }
        // Only the last removed digit decides, because rounding digit by digit would round 0.45 up twice.
        var rest: UInt8 = 0
        for _ in 0..<(-100 - exponent) {
          if rest > 0 { isRounded = true }
          rest = UInt8(significand % 10)
          significand /= 10
        }
        isRounded = isRounded || rest > 0
        significand += rest >= 5 ? 1 : 0
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
}
