/// A decimal number with exactly the digits of a sensor or a file: `significand * 10^exponent`.
///
/// Use it if a `Double` would round: for the scale and offset of a channel in sysfs, and for every value of a reading.
/// `0.10` keeps its trailing zero (`significand 10, exponent -2`), so a recorded text stays unchanged.
public struct ExactDecimal: Hashable, Sendable {
  /// The digits, with the sign.
  public var significand: Int64
  /// The power of ten, within -100 ... 100.
  public var exponent: Int8

  /// Makes `significand * 10^exponent`.
  @inlinable public init(significand: Int64, exponent: Int8 = 0) {
    self.significand = significand
    self.exponent = exponent
  }

  /// The number 0.
  @inlinable public static var zero: ExactDecimal { ExactDecimal(significand: 0) }
  /// The number 1.
  @inlinable public static var one: ExactDecimal { ExactDecimal(significand: 1) }
}
