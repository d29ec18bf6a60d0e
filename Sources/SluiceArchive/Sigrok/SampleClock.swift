/// The times of samples at a constant sample rate. The first sample has the time 0.
struct SampleClock {
  /// Samples per second.
  let rate: UInt64
  /// Nanoseconds between samples; nil if this is not a whole number.
  let period: UInt64?

  private static let second: UInt64 = 1_000_000_000

  /// - Parameter rate: More than 0.
  init(rate: UInt64) {
    self.rate = max(1, rate)
    period = Self.second % self.rate == 0 ? Self.second / self.rate : nil
  }

  /// The time of a sample in nanoseconds, rounded to the nearest; nil if it needs more than 64 bits.
  func time(of sample: UInt64) -> Int64? {
    if let period {
      let (time, overflow) = sample.multipliedReportingOverflow(by: period)
      return overflow ? nil : Int64(exactly: time)
    }
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: rate)
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: Self.second)
    guard !overflow else { return nil }
    // The remainder is less than a second, so the quotient is at most one second.
    var product = rest.multipliedFullWidth(by: Self.second)
    let (low, carry) = product.low.addingReportingOverflow(rate / 2)
    product = (product.high + (carry ? 1 : 0), low)
    let (time, isTooLate) = whole.addingReportingOverflow(rate.dividingFullWidth(product).quotient)
    return isTooLate ? nil : Int64(exactly: time)
  }
}
