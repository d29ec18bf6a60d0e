import SluiceReadings

/// The form of a number in a database. Reading it gives the same number.
enum StoredNumber: Equatable {
  case integer(Int64)
  /// A floating-point number. Its shortest decimal is the number.
  case real(Double)
  /// A text with all digits.
  case text

  /// Chooses the form of `significand * 10^exponent`.
  @inline(__always)
  init(_ significand: Int64, _ exponent: Int) {
    if exponent == 0 {
      self = .integer(significand)
    } else if exponent < 0, exponent >= -22, significand.magnitude < Self.fifteenDigits {
      // Both are exact, so the quotient is the nearest floating-point number. Any number of fifteen digits can be
      // restored from it.
      self = .real(Double(significand) / Self.power(-exponent))
    } else {
      self.init(wide: Int128(significand), exponent)
    }
  }

  @inline(never)
  init(wide significand: Int128, _ exponent: Int) {
    if exponent >= 0, let whole = Self.whole(significand, exponent) {
      self = .integer(whole)
    } else if significand == 0 {
      self = .real(0)
    } else {
      self = Self.fraction(significand, exponent)
    }
  }

  private static func whole(_ significand: Int128, _ exponent: Int) -> Int64? {
    guard significand != 0 else { return 0 }
    var value = significand
    for _ in 0..<exponent {
      guard let small = Int64(exactly: value) else { return nil }
      value = Int128(small) * 10
    }
    return Int64(exactly: value)
  }

  private static func fraction(_ significand: Int128, _ exponent: Int) -> StoredNumber {
    var (significand, exponent) = (significand, exponent)
    while significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
    // No shortest decimal has more digits.
    guard significand.magnitude < 100_000_000_000_000_000 else { return .text }
    let digits = Int64(truncatingIfNeeded: significand)
    if digits.magnitude < fifteenDigits, abs(exponent) <= 22 {
      return .real(exponent < 0 ? Double(digits) / power(-exponent) : Double(digits) * power(exponent))
    }
    guard let real = Double("\(digits)e\(exponent)"), var shortest = ShortestDecimal(real) else { return .text }
    shortest.removeZeros()
    return shortest.significand == digits && shortest.exponent == exponent ? .real(real) : .text
  }

  static let fifteenDigits: UInt64 = 1_000_000_000_000_000

  /// 10^n, exactly, for n up to 22.
  @inline(__always)
  static func power(_ n: Int) -> Double { ExactDecimal.realPowers[n] }
}

/// The decimal with the fewest digits that is nearest to a floating-point number.
struct ShortestDecimal {
  /// The significand, of at most 17 digits, or 18 with a zero after the point.
  var significand: Int64 = 0
  var exponent = 0

  /// Nil for NaN and infinity.
  init?(_ real: Double) {
    guard real.isFinite else { return nil }
    var isNegative = false
    var isBehindPoint = false
    var text = real.description.utf8[...]
    while let byte = text.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (tens, overflow) = significand.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Int64(byte - 0x30))
        guard !overflow, !carry else { return nil }
        significand = sum
        if isBehindPoint { exponent -= 1 }
      default:
        guard let power = Int(Substring(text)) else { return nil }
        exponent += power
        text = text.suffix(0)
      }
    }
    if isNegative { significand = -significand }
  }

  mutating func removeZeros() {
    while significand != 0, significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
  }
}

extension ExactDecimal {
  /// The shortest decimal of a floating-point number, with zeros at its end up to the given number of decimals. It has
  /// at least one decimal, because in a recording a whole number is never a floating-point number.
  ///
  /// Nil for NaN, infinity, and numbers that are too small or too large.
  @inline(__always)
  init?(_ real: Double, decimals: Int) {
    if let few = ExactDecimal(fewDigits: real, decimals: Swift.max(decimals, 1)) {
      self = few
      return
    }
    self.init(long: real, decimals: decimals)
  }

  @inline(never)
  private init?(long real: Double, decimals: Int) {
    guard var shortest = ShortestDecimal(real) else { return nil }
    // Add zeros only if all of them fit: first the one of a whole number.
    for wanted in [0, Swift.min(decimals, 100)] {
      var longer = shortest
      while longer.exponent > -wanted {
        let (product, overflow) = longer.significand.multipliedReportingOverflow(by: 10)
        guard !overflow else { break }
        longer.significand = product
        longer.exponent -= 1
      }
      if longer.exponent <= -wanted { shortest = longer }
    }
    guard shortest.exponent >= -100, shortest.exponent <= 100 else { return nil }
    self.init(significand: shortest.significand, exponent: Int8(truncatingIfNeeded: shortest.exponent))
  }
}

/// Formats a number without an exponent, if it has too many digits for the other forms.
enum PlainNotation {
  /// The longest text of a number: 39 digits, a sign, a point, and zeros for an exponent of -254 to 254.
  static let longest = 320

  /// Writes backwards from the end of a buffer.
  /// - Parameter end: The end of a buffer of ``longest`` bytes.
  static func write(
    _ significand: Int128, _ exponent: Int, endingAt end: UnsafeMutablePointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    var next = end
    func put(_ byte: UInt8) {
      next -= 1
      next.pointee = byte
    }
    var magnitude = significand.magnitude
    if magnitude != 0, exponent > 0 {
      for _ in 0..<exponent { put(UInt8(ascii: "0")) }
    }
    var position = exponent
    // There is one digit before the point.
    repeat {
      if position == 0, exponent < 0 { put(UInt8(ascii: ".")) }
      let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      magnitude = rest
      position += 1
    } while magnitude != 0 || position <= 0
    if significand < 0 { put(UInt8(ascii: "-")) }
    return UnsafeBufferPointer(start: next, count: end - next)
  }
}
