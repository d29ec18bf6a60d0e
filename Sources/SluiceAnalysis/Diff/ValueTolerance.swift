package import SluiceReadings

/// The greatest difference of two values that count as the same. If there are two bounds, one is enough. Without a
/// bound, values are compared as exact decimal numbers: `0.10` equals `0.1`.
package struct ValueTolerance: Equatable, Sendable {
  /// The greatest difference; zero or greater.
  package var absolute: ExactDecimal
  /// The greatest difference relative to the larger absolute value; zero or greater.
  package var relative: ExactDecimal

  package init(absolute: ExactDecimal = .zero, relative: ExactDecimal = .zero) {
    self.absolute = absolute
    self.relative = relative
  }

  /// - Parameters:
  ///   - a: Nil for a missing value. It equals only a missing value.
  package func areSame(_ a: WideDecimal?, _ b: WideDecimal?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    if a == b || a.normalized == b.normalized { return true }
    let one = WideDecimal(significand: 1, exponent: 0)
    // The larger absolute value gives the larger bound, so it is enough to be within either bound.
    return Self.isWithin(absolute, of: one, a, b) || Self.isWithin(relative, of: a, a, b)
      || Self.isWithin(relative, of: b, a, b)
  }

  private static func isWithin(
    _ bound: ExactDecimal, of value: WideDecimal, _ a: WideDecimal, _ b: WideDecimal
  ) -> Bool {
    guard bound.significand > 0 else { return false }
    if let distance = a.distance(to: b), let limit = value.magnitude(times: bound) { return distance.isAtMost(limit) }
    // The values have more than 38 digits. The last digits do not matter in comparison with a tolerance.
    let limit = (Double(bound.description) ?? 0) * abs(value.approximation)
    return abs(a.approximation - b.approximation) <= limit
  }
}
