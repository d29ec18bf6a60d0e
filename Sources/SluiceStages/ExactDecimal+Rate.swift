import SluiceReadings

extension ExactDecimal {
  /// An amount in the time between two times in nanoseconds, per second; missing if the first is, if no time is between
  /// them, or if the rate does not fit.
  ///
  /// A rate is rounded, because most have no end: to six significant digits, but never to fewer decimals than the amount
  /// has. A half is rounded up.
  /// - Precondition: The amount is greater than 0.
  static func rate(of amount: ExactDecimal, from start: Int64?, to end: Int64) -> ExactDecimal {
    guard let start else { return .missing }
    let (interval, overflow) = end.subtractingReportingOverflow(start)
    guard !overflow, interval > 0, amount.significand > 0 else { return .missing }
    // At most 2^63 * 10^9, and below 10^6 * 2^63 after each step of the loop: far from 2^127.
    var numerator = Int128(amount.significand) * 1_000_000_000
    var exponent = amount.exponent
    let divisor = Int128(interval)
    while numerator < divisor * 100_000, exponent > -100 {
      numerator *= 10
      exponent -= 1
    }
    guard let significand = Int64(exactly: (numerator * 2 + divisor) / (divisor * 2)) else { return .missing }
    return ExactDecimal(significand: significand, exponent: exponent)
  }
}
