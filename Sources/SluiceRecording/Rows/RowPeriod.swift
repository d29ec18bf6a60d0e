public import SluiceReadings

/// The time from one row to the next of a table whose rows have no times: a number of nanoseconds, or a rate.
///
/// A rate is kept exactly, so that the time of each row is rounded once: at 44.1 kHz, a period of whole nanoseconds would be
/// wrong by 1 ms after 90 s.
///
/// ```swift
/// RowPeriod(nanoseconds: 10_000_000)?.time(ofRow: 3)  // 30000000
/// RowPeriod(hertz: ExactDecimal("44100")!)?.time(ofRow: 44_100)  // 1000000000
/// ```
public struct RowPeriod: Hashable, Sendable {
  /// The nanoseconds, as a fraction in lowest terms.
  private let numerator: Int64
  private let denominator: Int64

  /// Makes a period of at least 1 ns; nil for any other number.
  public init?(nanoseconds: Int64) {
    guard nanoseconds >= 1 else { return nil }
    (numerator, denominator) = (nanoseconds, 1)
  }

  /// Makes the period of a rate, from which rows are at least 1 ns apart. Nil for any other rate, and for one of more digits
  /// than 64 bits hold.
  public init?(hertz: ExactDecimal) {
    guard hertz.significand > 0, !hertz.isMissing else { return nil }
    var (numerator, denominator) = (Int64(1_000_000_000), hertz.significand)
    for _ in 0..<hertz.exponent.magnitude {
      let (product, overflow) = (hertz.exponent < 0 ? numerator : denominator).multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      if hertz.exponent < 0 { numerator = product } else { denominator = product }
    }
    guard numerator >= denominator else { return nil }
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    (self.numerator, self.denominator) = (numerator / a, denominator / a)
  }

  /// The time of a row, in nanoseconds since that of row 0, rounded to the nearest one. Nil if 64 bits do not hold it.
  public func time(ofRow row: Int) -> Int64? {
    // Both have 63 bits at most, so that twice their product fits in 128.
    let product = Int128(row) * Int128(numerator)
    guard denominator > 1 else { return Int64(exactly: product) }
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: Int128(denominator))
    return Int64(exactly: quotient + (2 * rest >= Int128(denominator) ? 1 : 0))
  }

  /// The whole nanoseconds; nil if it is none.
  public var nanoseconds: Int64? { denominator == 1 ? numerator : nil }

  /// The nanoseconds as the nearest floating-point number.
  package var realNanoseconds: Double { Double(numerator) / Double(denominator) }

  /// The rate in hertz; nil if no decimal of 18 digits is the same.
  public var hertz: ExactDecimal? {
    for exponent in 0...18 {
      var significand = Int128(1_000_000_000) * Int128(denominator)
      for _ in 0..<exponent { significand *= 10 }
      guard significand % Int128(numerator) == 0 else { continue }
      return Int64(exactly: significand / Int128(numerator)).map {
        ExactDecimal(significand: $0, exponent: Int8(-exponent))
      }
    }
    return nil
  }
}
