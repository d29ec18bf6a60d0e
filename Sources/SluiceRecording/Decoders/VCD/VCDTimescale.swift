/// Converts the times of a value change dump to nanoseconds since 1970.
struct VCDTimescale {
  /// The time of `#0`.
  var base: Int64
  /// Nanoseconds per tick, or ticks per nanosecond: one of them is 1.
  private let factor: UInt64
  private let divisor: UInt64
  /// The units of a tick, if these are not a power of ten.
  private let count: UInt64

  /// - Parameters:
  ///   - unit: The decimal exponent of a unit in seconds: -9 for nanoseconds.
  ///   - count: The units of a tick.
  init(unit: Int, count: UInt64 = 1, base: Int64) {
    // Beyond 64 bits, every time but 0 is too far.
    func power(_ exponent: Int) -> UInt64 {
      exponent > 19 ? .max : (0..<max(0, exponent)).reduce(1) { power, _ in power * 10 }
    }
    (self.base, self.count) = (base, count)
    factor = power(unit + 9)
    divisor = power(-9 - unit)
  }

  /// - Returns: The nearest nanosecond. Nil if it is outside 64 bits.
  @inline(__always)
  func nanoseconds(_ ticks: UInt64) -> Int64? {
    let (ticks, isTooFar) = ticks.multipliedReportingOverflow(by: count)
    guard !isTooFar else { return nil }
    var nanoseconds = ticks
    if divisor > 1 {
      let (quotient, remainder) = ticks.quotientAndRemainder(dividingBy: divisor)
      nanoseconds = quotient + (remainder >= divisor - remainder ? 1 : 0)
    } else if factor > 1 {
      let (product, overflow) = ticks.multipliedReportingOverflow(by: factor)
      guard !overflow else { return nil }
      nanoseconds = product
    }
    guard let whole = Int64(exactly: nanoseconds) else { return nil }
    let (time, overflow) = base.addingReportingOverflow(whole)
    return overflow ? nil : time
  }

  /// Whether ``nanoseconds(_:)`` rounds this time.
  @inline(__always)
  func isRounded(_ ticks: UInt64) -> Bool { divisor > 1 && ticks &* count % divisor != 0 }
}
