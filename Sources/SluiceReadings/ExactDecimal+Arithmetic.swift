extension ExactDecimal {
  /// `(self + offset) * scale`, exactly; nil if the result has more than 38 digits.
  ///
  /// The kernel defines the meaning of raw values like this (Documentation/ABI/testing/sysfs-bus-iio).
  @inlinable package func scaled(by scale: ExactDecimal, offset: ExactDecimal) -> WideDecimal? {
    if offset.significand == 0 {
      let (product, overflow) = significand.multipliedReportingOverflow(by: scale.significand)
      let exponent = Int(exponent) + Int(scale.exponent)
      if !overflow { return WideDecimal(significand: Int128(product), exponent: exponent) }
    }
    return wideScaled(by: scale, offset: offset)
  }

  @usableFromInline func wideScaled(by scale: ExactDecimal, offset: ExactDecimal) -> WideDecimal? {
    let common = Swift.min(exponent, offset.exponent)
    guard
      let a = Self.shifted(Int128(significand), by: Int(exponent) - Int(common)),
      let b = Self.shifted(Int128(offset.significand), by: Int(offset.exponent) - Int(common))
    else { return nil }
    let (sum, carry) = a.addingReportingOverflow(b)
    let (product, overflow) = sum.multipliedReportingOverflow(by: Int128(scale.significand))
    guard !carry, !overflow else { return nil }
    return WideDecimal(significand: product, exponent: Int(common) + Int(scale.exponent))
  }

  /// `value * 10^power`, for a power of zero or more.
  package static func shifted(_ value: Int128, by power: Int) -> Int128? {
    guard value != 0 else { return 0 }
    var value = value
    for _ in 0..<power {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      value = product
    }
    return value
  }

  /// The number in units that are 10^power smaller, as a whole number; nil if it is not whole or does not fit.
  ///
  /// `0.010078907` seconds are `10078907` nanoseconds, with a power of 9.
  @inlinable public func whole(power: Int) -> Int64? {
    let shift = Int(exponent) + power
    guard shift != 0, significand != 0 else { return isMissing ? nil : significand }
    var value = significand
    if shift > 0 {
      for _ in 0..<shift {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        value = product
      }
    } else {
      for _ in 0..<(-shift) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 10)
        guard remainder == 0 else { return nil }
        value = quotient
      }
    }
    return value
  }

  /// 1 divided by a positive number, with at least nine digits. Zeros at the end are left out.
  package init(reciprocalOf number: Int32) {
    precondition(number > 0, "only a positive number has a reciprocal here")
    var (power, exponent): (Int64, Int8) = (1_000_000_000, -9)
    while power / Int64(number) < 100_000_000 { (power, exponent) = (power * 10, exponent - 1) }
    var significand = (power + Int64(number) / 2) / Int64(number)
    while significand % 10 == 0 { (significand, exponent) = (significand / 10, exponent + 1) }
    self.init(significand: significand, exponent: exponent)
  }
}

/// A product of two ``ExactDecimal``.
@usableFromInline
package struct WideDecimal: Equatable {
  @usableFromInline package var significand: Int128
  @usableFromInline package var exponent: Int

  @inlinable package init(significand: Int128, exponent: Int) {
    self.significand = significand
    self.exponent = exponent
  }
  /// The nearest number with this number of decimals, or the same number if it has no more decimals. A half is rounded
  /// away from zero.
  package func rounded(toDecimals decimals: Int) -> WideDecimal {
    let excess = -exponent - decimals
    guard excess > 0, significand != 0 else { return self }
    // Only the last removed digit decides, because rounding digit by digit would round 0.45 up twice.
    var magnitude = significand.magnitude
    for _ in 1..<excess {
      magnitude /= 10
      if magnitude == 0 { break }
    }
    magnitude = (magnitude + 5) / 10
    let rounded = Int128(magnitude)
    return WideDecimal(significand: significand < 0 ? -rounded : rounded, exponent: -decimals)
  }
}
