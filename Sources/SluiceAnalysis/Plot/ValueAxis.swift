import SluicePipeline
import SluiceSystem

/// The value axis of a panel: its ends, and ticks at round numbers between them.
package struct ValueAxis: Equatable, Sendable {
  package struct Tick: Equatable, Sendable {
    /// The position, from 0, the lower end, to 1.
    package let position: Double
    package let label: String
  }

  package let lower: Double
  package let upper: Double
  package let ticks: [Tick]
  /// The power of 10 by which labels must be multiplied, so that they are short.
  package let power: Int

  /// - Parameters:
  ///   - values: The range of the values. An empty range gets some space.
  ///   - intervals: The approximate number of intervals between ticks.
  package init(_ values: ClosedRange<Double>, intervals: Int) {
    let clamped = Swift.max(values.lowerBound, -1e300)...Swift.max(-1e300, Swift.min(values.upperBound, 1e300))
    var (lower, upper) = (clamped.lowerBound, clamped.upperBound)
    let size = Swift.max(abs(lower), abs(upper))
    // A range of only a few floating-point steps has no ticks.
    if upper - lower <= size * 1e-14 {
      let room = size == 0 ? 1 : size * 0.05
      (lower, upper) = (lower - room, upper + room)
    } else {
      let room = (upper - lower) * 0.04
      (lower, upper) = (lower - room, upper + room)
    }
    (self.lower, self.upper) = (lower, upper)
    let (factor, exponent) = Self.step((upper - lower) / Double(Swift.max(1, intervals)))
    let step = factor * pow(10, Double(exponent))
    power = Self.power(Swift.max(abs(lower), abs(upper)), exponent)
    let decimals = Swift.max(0, power - exponent)
    let unit = pow(10, Double(power))
    let numbers = stride(from: (lower / step).rounded(.up), through: (upper / step).rounded(.down), by: 1).prefix(64)
    ticks = numbers.map { number in
      // The multiplication comes first, because 3 * 0.1 is not 0.3.
      let value = exponent < 0 ? number * factor / pow(10, Double(-exponent)) : number * step
      return Tick(position: (value - lower) / (upper - lower), label: fixed(value / unit, decimals))
    }
  }

  /// The step that is nearest to the length: 1, 2 or 5 times a power of 10.
  static func step(_ length: Double) -> (factor: Double, exponent: Int) {
    guard length > 0, length.isFinite else { return (1, 0) }
    var exponent = Int(log10(length).rounded(.down))
    if pow(10, Double(exponent)) > length { exponent -= 1 }
    let ratio = length / pow(10, Double(exponent))
    // The limits are the square roots of 1 * 2, 2 * 5 and 5 * 10.
    for (factor, limit) in [(1.0, 1.414), (2, 3.162), (5, 7.071)] where ratio <= limit { return (factor, exponent) }
    return (1, exponent + 1)
  }

  /// A power that is a multiple of 3, if labels would be long without it.
  private static func power(_ largest: Double, _ exponent: Int) -> Int {
    guard largest > 0, largest >= 1e6 || exponent < -4 else { return 0 }
    let digits = Int(log10(largest).rounded(.down))
    // A range far from zero needs its digits in any case.
    if largest < 1e6, digits > -3 { return 0 }
    return Int((Double(digits) / 3).rounded(.down)) * 3
  }

  package func position(of value: Double) -> Double { Swift.min(1, Swift.max(0, (value - lower) / (upper - lower))) }
}
