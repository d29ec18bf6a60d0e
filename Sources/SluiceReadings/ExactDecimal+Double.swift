extension Double {
  /// The nearest `Double`; NaN for a missing value.
  ///
  /// Use it to compute with values that need not keep all their digits.
  ///
  /// ```swift
  /// let fahrenheit = Double(reading.values[0]) * 1.8 + 32
  /// ```
  public init(_ value: ExactDecimal) { self = value.isMissing ? .nan : Double(value.description) ?? .nan }
}
