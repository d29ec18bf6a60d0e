package import SluiceReadings

/// The smallest, largest and mean value of one channel.
package struct ChannelStatistics {
  package private(set) var count = 0
  package private(set) var missing = 0
  package private(set) var smallest = ExactDecimal.missing
  package private(set) var largest = ExactDecimal.missing
  /// The sum of significands with the exponent `exponent`. Adding whole numbers is exact and fastest.
  private var sum: Int64 = 0
  private var exponent: Int8 = 0
  /// The earlier sums, with other exponents, or from before `sum` overflowed.
  private var total = 0.0
  private var compensation = 0.0

  @inline(__always)
  mutating func add(_ value: ExactDecimal) {
    if value.isMissing {
      missing += 1
      return
    }
    count += 1
    if value.exponent == smallest.exponent, value.exponent == largest.exponent, value.exponent == exponent {
      if value.significand < smallest.significand { smallest = value }
      if value.significand > largest.significand { largest = value }
      let (sum, overflow) = sum.addingReportingOverflow(value.significand)
      if !overflow {
        self.sum = sum
        return
      }
    } else {
      compare(value)
    }
    flush(value)
  }

  @inline(never)
  private mutating func compare(_ value: ExactDecimal) {
    if smallest.isMissing || value.isLess(than: smallest) { smallest = value }
    if largest.isMissing || largest.isLess(than: value) { largest = value }
  }

  /// Adds the sum to the total, and begins a new sum.
  @inline(never)
  private mutating func flush(_ value: ExactDecimal) {
    addToTotal(ExactDecimal(significand: sum, exponent: exponent).approximate)
    (sum, exponent) = (value.significand, value.exponent)
  }

  /// Neumaier's summation, which keeps the digits that a large sum would lose.
  private mutating func addToTotal(_ value: Double) {
    let sum = total + value
    compensation += abs(total) >= abs(value) ? (total - sum) + value : (value - sum) + total
    total = sum
  }

  package var mean: Double? {
    guard count > 0 else { return nil }
    var copy = self
    copy.addToTotal(ExactDecimal(significand: sum, exponent: exponent).approximate)
    return (copy.total + copy.compensation) / Double(count)
  }
}

extension ExactDecimal {
  /// Compares exactly, for all exponents.
  func isLess(than other: ExactDecimal) -> Bool {
    if exponent == other.exponent { return significand < other.significand }
    let (a, b) = (approximate, other.approximate)
    // The difference is larger than the rounding of both.
    if abs(a - b) > 4 * max(a.ulp, b.ulp) { return a < b }
    let common = min(exponent, other.exponent)
    guard let a = shifted(to: common), let b = other.shifted(to: common) else { return a < b }
    return a < b
  }

  private func shifted(to common: Int8) -> Int128? {
    guard significand != 0 else { return 0 }
    let power = Int(exponent) - Int(common)
    guard power <= 19 else { return nil }
    return (0..<power).reduce(Int128(significand)) { value, _ in value * 10 }
  }

  /// The nearest floating-point number, or one of its neighbours.
  package var approximate: Double {
    let power = Int(exponent)
    let value = Double(significand)
    if power == 0 { return value }
    return power < 0 ? value / Self.power(-power) : value * Self.power(power)
  }

  private static let powers: [Double] = (0...22).map { power in (0..<power).reduce(1.0) { value, _ in value * 10 } }

  private static func power(_ exponent: Int) -> Double {
    guard exponent > 22 else { return powers[exponent] }
    return powers[22] * power(exponent - 22)
  }
}
