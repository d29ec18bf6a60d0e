import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Numbers that fit into a column of ten characters.
enum LiveFigures {
  static let width = 10

  /// A number with about six digits.
  static func text(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    let size = abs(value)
    if size < 1e9, value.rounded() == value { return fixed(value, 0) }
    let power = Int(log10(size).rounded(.down))
    if size >= 1e9 || size < 1e-4 {
      // In two steps, because 10^308 times a number less than 1 may not fit.
      let digits = value / pow(10, Double(power / 2)) / pow(10, Double(power - power / 2))
      return fixed(digits, 3 - (abs(power) >= 100 ? 1 : 0)) + "e\(power)"
    }
    return fixed(value, max(0, min(6, 5 - power)))
  }

  /// A value of a channel as it is written, unless it has too many digits.
  static func text(_ value: ExactDecimal, _ channel: LiveChannel) -> String {
    guard !value.isMissing else { return "" }
    if let exact = channel.exact(value), exact.utf8.count <= width { return exact }
    return text(channel.scaled(value))
  }

  static func rate(_ rate: Double) -> String {
    (rate < 100 ? fixed(rate, 1) : grouped(Int(min(rate, 1e12).rounded()))) + "/s"
  }
}
