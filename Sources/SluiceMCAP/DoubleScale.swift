import SluiceReadings
import SluiceRecording

/// The values of one channel as floating-point numbers: scaled and rounded as the output wants them.
struct DoubleScale {
  private let exact: ScaledValue
  private let scale: Int64
  private let offset: Int64
  private let offsetExponent: Int8
  private let scaleExponent: Int
  private let isFast: Bool

  init(_ channel: StreamDescription.Channel, of stream: StreamDescription, _ streams: EncoderStreams) {
    exact = ScaledValue(channel, of: stream, streams)
    let isScaled = !(streams.raw || stream.isScaled)
    (scale, scaleExponent) = isScaled ? (channel.scale.significand, Int(channel.scale.exponent)) : (1, 0)
    (offset, offsetExponent) = isScaled ? (channel.offset.significand, channel.offset.exponent) : (0, 0)
    isFast = exact.decimals == nil
  }

  /// - Returns: Nil for a value that is rounded in a floating-point number. A missing value is NaN.
  @inline(__always)
  func exactly(_ value: ExactDecimal) -> Double? {
    let exponent = Int(value.exponent) + scaleExponent
    let (sum, carry) = value.significand.addingReportingOverflow(offset)
    let (product, overflow) = sum.multipliedReportingOverflow(by: scale)
    // Both are exact, so that the quotient or the product is the nearest number, and it restores all digits.
    if isFast, !carry, !overflow, product.magnitude < ExactDouble.fifteenDigits, exponent <= 0, exponent >= -22,
      offset == 0 || offsetExponent == value.exponent
    {
      return exponent == 0 ? Double(product) : Double(product) / ExactDecimal.realPowers[0 - exponent]
    }
    let slow = nearest(value)
    return slow.isExact ? slow.value : nil
  }

  /// The nearest number.
  @inline(never)
  func nearest(_ value: ExactDecimal) -> (value: Double, isExact: Bool) {
    // A value of more than 38 digits, which no output has.
    guard !value.isMissing, let scaled = exact.scaled(value) else { return (.nan, true) }
    let double = ExactDouble(scaled)
    return (double.value, double.isExact)
  }
}
