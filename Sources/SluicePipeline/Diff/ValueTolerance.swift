package import SluiceReadings

/// By how much two values may differ and still count as the same. Either bound is enough; with neither, they are compared
/// as exact decimal numbers, so that `0.10` is `0.1`.
package struct ValueTolerance: Hashable, Sendable {
  /// The greatest difference; zero or greater.
  package var absolute: ExactDecimal
  /// The greatest difference as a part of the value that is farther from zero; zero or greater.
  package var relative: ExactDecimal

  package init(absolute: ExactDecimal = .zero, relative: ExactDecimal = .zero) {
    self.absolute = absolute
    self.relative = relative
  }

  /// - Parameters:
  ///   - a: Nil for a missing value, which is the same as another missing value only.
  package func areSame(_ a: WideDecimal?, _ b: WideDecimal?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    if a == b || a.normalized == b.normalized { return true }
    let one = WideDecimal(significand: 1, exponent: 0)
    // Of the two values, the one farther from zero has the greater part: it is enough to be within that of any.
    return Self.isWithin(absolute, of: one, a, b) || Self.isWithin(relative, of: a, a, b)
      || Self.isWithin(relative, of: b, a, b)
  }

  private static func isWithin(
    _ bound: ExactDecimal, of value: WideDecimal, _ a: WideDecimal, _ b: WideDecimal
  ) -> Bool {
    guard bound.significand > 0 else { return false }
    if let distance = a.distance(to: b), let limit = value.magnitude(times: bound) { return distance.isAtMost(limit) }
    // Of more than 38 digits: their ends do not matter beside a tolerance.
    let limit = (Double(bound.description) ?? 0) * abs(value.approximation)
    return abs(a.approximation - b.approximation) <= limit
  }
}
