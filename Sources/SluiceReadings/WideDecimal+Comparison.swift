extension WideDecimal {
  /// The same number without zeros at its end, so that equal numbers have equal forms.
  package var normalized: WideDecimal {
    guard significand != 0 else { return WideDecimal(significand: 0, exponent: 0) }
    var number = self
    while true {
      let (quotient, rest) = number.significand.quotientAndRemainder(dividingBy: 10)
      guard rest == 0 else { return number }
      number = WideDecimal(significand: quotient, exponent: number.exponent + 1)
    }
  }

  /// The exact distance of two numbers; nil if it has more than 38 digits.
  package func distance(to other: WideDecimal) -> WideDecimal? {
    let common = Swift.min(exponent, other.exponent)
    guard let a = ExactDecimal.shifted(significand, by: exponent - common),
      let b = ExactDecimal.shifted(other.significand, by: other.exponent - common)
    else { return nil }
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    guard !overflow, difference != .min else { return nil }
    return WideDecimal(significand: difference < 0 ? -difference : difference, exponent: common)
  }

  /// Whether this number is not greater than the other, exactly.
  /// - Precondition: Both are zero or greater.
  package func isAtMost(_ other: WideDecimal) -> Bool {
    let common = Swift.min(exponent, other.exponent)
    // Only the number with the greater exponent is shifted. If it then has too many digits, it is the greater one.
    guard let a = ExactDecimal.shifted(significand, by: exponent - common) else { return false }
    guard let b = ExactDecimal.shifted(other.significand, by: other.exponent - common) else { return true }
    return a <= b
  }

  /// The product, without a sign; nil if it has more than 38 digits.
  package func magnitude(times factor: ExactDecimal) -> WideDecimal? {
    let (product, overflow) = significand.multipliedReportingOverflow(by: Int128(factor.significand))
    guard !overflow, product != .min else { return nil }
    return WideDecimal(
      significand: product < 0 ? -product : product, exponent: exponent + Int(factor.exponent))
  }

  /// The nearest floating-point number.
  package var approximation: Double { Double(description) ?? .nan }
}
