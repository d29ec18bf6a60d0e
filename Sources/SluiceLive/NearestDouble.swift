package import SluiceReadings

/// The value of a channel as the nearest floating-point number: `(raw + offset) * scale`.
package struct ScaledDouble: Sendable {
  private let scale: ExactDecimal
  private let offset: ExactDecimal

  package init(_ channel: StreamDescription.Channel, of stream: StreamDescription) {
    (scale, offset) = stream.isScaled ? (.one, .zero) : (channel.scale, channel.offset)
  }

  /// - Returns: NaN for a missing value, and for one of more than 38 digits, which no output writes either.
  package func callAsFunction(_ value: ExactDecimal) -> Double {
    if value.isMissing { return .nan }
    if let found = Step(self, value.exponent)(value) { return found }
    guard let scaled = value.scaled(by: scale, offset: offset) else { return .nan }
    // A scale of 1 may be written with other digits.
    return scaled.approximation
  }

  /// The way for values of one exponent that a product and a quotient give exactly. The values of a sensor have the same
  /// exponent, mostly.
  struct Step {
    private let offset: Int64
    private let scale: Int64
    private let power: Double
    private let divides: Bool
    private let own: Int8

    /// - Returns: One that takes no value if there is none.
    init(_ scaled: ScaledDouble, _ own: Int8) {
      let exponent = Int(own) + Int(scaled.scale.exponent)
      let isExact =
        own != .min && exponent >= -22 && exponent <= 22
        && (scaled.offset.significand == 0 || scaled.offset.exponent == own)
      // No value has the exponent 127.
      self.own = isExact ? own : .max
      (offset, scale) = (scaled.offset.significand, scaled.scale.significand)
      (power, divides) = (isExact ? ScaledDouble.powers[abs(exponent)] : 1, exponent < 0)
    }

    /// A quotient or a product of two numbers that are exact is the nearest number.
    /// - Returns: Nil if one is not.
    @inline(__always)
    func callAsFunction(_ value: ExactDecimal) -> Double? {
      let (sum, carry) = value.significand.addingReportingOverflow(offset)
      let (product, overflow) = sum.multipliedReportingOverflow(by: scale)
      guard value.exponent == own, !carry, !overflow, product.magnitude <= 1 << 53 else { return nil }
      return divides ? Double(product) / power : Double(product) * power
    }
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
