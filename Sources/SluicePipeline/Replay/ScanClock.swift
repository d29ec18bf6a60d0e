import SluiceReadings

/// The times of scans without a timestamp: they count from 0 at a constant rate.
struct ScanClock: Hashable, Sendable {
  /// The time of one scan is `dividend / divisor` nanoseconds.
  private let dividend: UInt64
  private let divisor: UInt64

  /// - Parameter rate: Scans per second. The result is nil if the rate is not above 0, or if its digits do not fit.
  init?(rate: ExactDecimal) {
    guard !rate.isMissing, rate.significand > 0, let rest = Self.power(abs(Int(rate.exponent))) else { return nil }
    let second: UInt64 = 1_000_000_000
    if rate.exponent < 0 {
      let (product, overflow) = second.multipliedReportingOverflow(by: rest)
      if overflow { return nil }
      (dividend, divisor) = (product, UInt64(rate.significand))
    } else {
      let (product, overflow) = UInt64(rate.significand).multipliedReportingOverflow(by: rest)
      if overflow { return nil }
      (dividend, divisor) = (second, product)
    }
  }

  private static func power(_ exponent: Int) -> UInt64? {
    guard exponent < 20 else { return nil }
    return (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Whether all times are whole nanoseconds.
  var isExact: Bool { dividend % divisor == 0 }

  /// The nanosecond of a scan, rounded to the nearest; nil if it needs more than 64 bits.
  func time(of scan: UInt64) -> Int64? {
    var product = scan.multipliedFullWidth(by: dividend)
    let (low, carry) = product.low.addingReportingOverflow(divisor / 2)
    // The high word of a product of two words is never the maximum, so this cannot overflow.
    product = (product.high &+ (carry ? 1 : 0), low)
    guard product.high < divisor else { return nil }
    return Int64(exactly: divisor.dividingFullWidth(product).quotient)
  }
}
