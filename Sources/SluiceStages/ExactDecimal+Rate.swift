import SluiceReadings

extension ExactDecimal {
  /// The rate of an amount per second, from two times in nanoseconds. It is missing if the first time is missing, if
  /// the second is not later than the first, or if the rate does not fit.
  ///
  /// A rate is rounded to six significant digits, because most rates have endless digits, but never to fewer decimals
  /// than the amount has. A half is rounded up.
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
