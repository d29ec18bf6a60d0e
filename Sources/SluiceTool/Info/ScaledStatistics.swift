import SluiceAnalysis
import SluicePipeline
import SluiceReadings

/// The values of a channel in its unit.
struct ScaledStatistics {
  /// The exact value; nil if there is no value, or if it has more than 38 digits.
  var smallest: String?
  var largest: String?
  var mean: Double?

  init(_ values: ChannelStatistics, _ channel: StreamDescription.Channel, isScaled: Bool) {
    guard values.count > 0, let average = values.mean else { return }
    let isPlain = isScaled || (channel.scale == .one && channel.offset.significand == 0)
    func text(_ value: ExactDecimal) -> String? {
      isPlain ? value.description : value.scaled(by: channel.scale, offset: channel.offset)?.description
    }
    (smallest, largest) = (text(values.smallest), text(values.largest))
    if !isPlain, channel.scale.significand < 0 { swap(&smallest, &largest) }
    let mean = isPlain ? average : (average + channel.offset.approximate) * channel.scale.approximate
    // If the offset cancels the mean, only a rounding error is left. Then the mean is 0.
    let size = max(abs(values.smallest.approximate), abs(values.largest.approximate)) * abs(channel.scale.approximate)
    self.mean = abs(mean) < size * 1e-12 ? 0 : mean
  }

  /// The mean with six digits.
  var roundedMean: String { mean.map { Self.rounded($0) } ?? "" }

  /// A number with six digits.
  static func rounded(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return value == 0 ? "0" : "\(value)" }
    var decimals = 5
    var limit = 1.0
    while abs(value) >= limit * 10, decimals > 0 { (limit, decimals) = (limit * 10, decimals - 1) }
    while abs(value) < limit, decimals < 12 { (limit, decimals) = (limit / 10, decimals + 1) }
    return fixed(value, decimals)
  }
}
