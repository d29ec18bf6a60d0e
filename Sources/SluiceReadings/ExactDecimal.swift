/// A decimal number kept exactly as a sensor or a file wrote it: `significand * 10^exponent`.
///
/// Use it wherever a `Double` would round: the scale and offset that sysfs gives for a channel, and every value of a
/// reading. `0.10` keeps its trailing zero (`significand 10, exponent -2`), so a recorded text comes back unchanged.
public struct ExactDecimal: Hashable, Sendable {
  /// The digits, with the sign.
  public var significand: Int64
  /// Powers of ten; never outside -100 ... 100.
  public var exponent: Int8

  /// Makes `significand * 10^exponent`.
  @inlinable public init(significand: Int64, exponent: Int8 = 0) {
    self.significand = significand
    self.exponent = exponent
  }

  /// 0.
  @inlinable public static var zero: ExactDecimal { ExactDecimal(significand: 0) }
  /// 1.
  @inlinable public static var one: ExactDecimal { ExactDecimal(significand: 1) }
}
