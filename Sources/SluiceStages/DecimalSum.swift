import SluiceReadings

/// The minimum, the maximum and the sum of decimal numbers, exact up to 38 digits.
struct DecimalSum {
  private(set) var count: Int64 = 0
  private var exponent: Int8 = 0
  /// Whether digits were lost, so that only the numbers themselves show which one is smaller.
  private var isCoarse = false
  private var least: Int128 = 0
  private var greatest: Int128 = 0
  private var sum: Int128 = 0
  /// The minimum, with its own digits; missing if there was no number.
  private(set) var min = ExactDecimal.missing
  /// The maximum.
  private(set) var max = ExactDecimal.missing

  /// Adds a number. A missing number is left out.
  mutating func add(_ value: ExactDecimal) {
    if value.isMissing { return }
    if count == 0 { (exponent, least, greatest, min, max) = (value.exponent, .max, .min, value, value) }
    var significand = Int128(value.significand)
    if value.exponent != exponent { significand = align(value) }
    if isCoarse {
      if value.isLess(than: min) { min = value }
      if max.isLess(than: value) { max = value }
    } else {
      if significand < least { (least, min) = (significand, value) }
      if significand > greatest { (greatest, max) = (significand, value) }
    }
    let (sum, overflow) = self.sum.addingReportingOverflow(significand)
    self.sum = sum
    if overflow { self.sum = significand < 0 ? .min : .max }
    count += 1
  }

  /// Brings all numbers to one exponent: the smaller one, if the digits fit.
  /// - Returns: The significand of the number.
  private mutating func align(_ value: ExactDecimal) -> Int128 {
    let target = Swift.min(value.exponent, exponent)
    let distance = Int(exponent) - Int(target)
    if let least = isCoarse ? 0 : ExactDecimal.shifted(least, by: distance),
      let greatest = isCoarse ? 0 : ExactDecimal.shifted(greatest, by: distance),
      let sum = ExactDecimal.shifted(sum, by: distance),
      let significand = ExactDecimal.shifted(Int128(value.significand), by: Int(value.exponent) - Int(target))
    {
      (self.least, self.greatest, self.sum, exponent) = (least, greatest, sum, target)
      return significand
    }
    // Numbers that are so different have no digits in common, so the larger exponent is used.
    isCoarse = true
    let coarse = Swift.max(value.exponent, exponent)
    let lost = Int(coarse) - Int(exponent)
    sum = Self.coarser(sum, lost)
    exponent = coarse
    return Self.coarser(Int128(value.significand), Int(coarse) - Int(value.exponent))
  }

  private static func coarser(_ value: Int128, _ digits: Int) -> Int128 {
    var value = value
    for _ in 0..<digits where value != 0 { value /= 10 }
    return value
  }

  /// The mean, with three more decimals than the numbers.
  var mean: ExactDecimal {
    guard count > 0 else { return .missing }
    return ExactDecimal(nearest: sum, dividedBy: Int128(count), exponent: Int(exponent))
  }
}

extension [DecimalSum] {
  /// Adds the value of each channel to its sum.
  mutating func add(_ values: Values) {
    let count = Swift.min(count, values.count)
    withUnsafeMutableBufferPointer { sums in
      for channel in 0..<count { sums[channel].add(values[channel]) }
    }
  }
}

extension ExactDecimal {
  /// Compares two numbers exactly, however different their exponents are.
  fileprivate func isLess(than other: ExactDecimal) -> Bool {
    guard significand.signum() == other.significand.signum() else { return significand < other.significand }
    func magnitude(_ number: ExactDecimal) -> WideDecimal {
      WideDecimal(significand: Int128(number.significand.magnitude), exponent: Int(number.exponent))
    }
    return significand < 0
      ? !magnitude(self).isAtMost(magnitude(other)) : !magnitude(other).isAtMost(magnitude(self))
  }

  /// The nearest number with a significand of 64 bits.
  init(nearest significand: Int128, exponent: Int) {
    var (significand, exponent) = (significand, exponent)
    while Int64(exactly: significand) == nil || exponent < -100 {
      significand = Self.quotient(significand, 10)
      exponent += 1
    }
    guard significand != 0 || exponent <= 100 else {
      self = .zero
      return
    }
    // A value can be as large as 10^118. A larger one is missing.
    self =
      exponent > 100
      ? .missing : ExactDecimal(significand: Int64(truncatingIfNeeded: significand), exponent: Int8(exponent))
  }

  /// The nearest number to a quotient, with three more decimals than the dividend if they fit.
  init(nearest dividend: Int128, dividedBy divisor: Int128, exponent: Int) {
    let (scaled, overflow) = dividend.multipliedReportingOverflow(by: 1_000)
    self =
      overflow
      ? ExactDecimal(nearest: Self.quotient(dividend, divisor), exponent: exponent)
      : ExactDecimal(nearest: Self.quotient(scaled, divisor), exponent: exponent - 3)
  }

  /// The quotient, rounded to the nearest whole number. A half is rounded away from zero.
  private static func quotient(_ dividend: Int128, _ divisor: Int128) -> Int128 {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard rest.magnitude >= divisor.magnitude - rest.magnitude else { return quotient }
    return (dividend < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
  }
}
