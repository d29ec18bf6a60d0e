package import SluiceReadings

/// The value of a channel as the nearest floating-point number: `(raw + offset) * scale`.
package struct ScaledDouble: Sendable {
  private let isPlain: Bool
  private let scale: ExactDecimal
  private let offset: ExactDecimal

  package init(_ channel: StreamDescription.Channel, of stream: StreamDescription) {
    isPlain = stream.isScaled || (channel.scale == .one && channel.offset.significand == 0)
    (scale, offset) = (channel.scale, channel.offset)
  }

  /// - Returns: NaN for a missing value, and for one of more than 38 digits, which no output writes either.
  package func callAsFunction(_ value: ExactDecimal) -> Double {
    if value.isMissing { return .nan }
    if isPlain { return Self.nearest(Int128(value.significand), Int(value.exponent)) }
    guard let scaled = value.scaled(by: scale, offset: offset) else { return .nan }
    return Self.nearest(scaled.significand, scaled.exponent)
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// A quotient or a product of two numbers that are exact is the nearest number. The text takes longer.
  private static func nearest(_ significand: Int128, _ exponent: Int) -> Double {
    let limit: Int128 = 1 << 53
    if significand <= limit, significand >= -limit, exponent >= -22, exponent <= 22 {
      let whole = Double(Int64(truncatingIfNeeded: significand))
      return exponent < 0 ? whole / powers[-exponent] : whole * powers[exponent]
    }
    return WideDecimal(significand: significand, exponent: exponent).approximation
  }
}
