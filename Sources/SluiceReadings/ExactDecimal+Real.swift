extension ExactDecimal {
  /// 10^n, exactly, for n up to 22.
  @usableFromInline package static let realPowers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// The shortest decimal of a floating-point number, if it has fifteen digits at most with the zeros at its end up to the
  /// given number of decimals. Nil for any other number.
  /// - Parameter decimals: At least 0.
  @inlinable @inline(__always)
  package init?(fewDigits real: Double, decimals: Int) {
    // Two numbers with so few digits are never the same floating-point number.
    var count = decimals
    while count <= 22 {
      let power = Self.realPowers[count]
      let digits = (real * power).rounded()
      guard digits.magnitude < 1e15 else { return nil }
      if digits / power == real {
        self.init(significand: Int64(digits), exponent: Int8(truncatingIfNeeded: -count))
        return
      }
      count += 1
    }
    return nil
  }
}
