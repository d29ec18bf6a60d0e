import SluiceAnalysis
import SluiceReadings

/// The values of one channel so far: the last one, the minimum, the mean and the maximum of all, and the minimum and the
/// maximum of each half second of the last minute.
struct LiveChannel: Sendable {
  let name: String
  let unit: String
  private(set) var count = 0
  private(set) var last = ExactDecimal.missing
  private(set) var smallest = Double.infinity
  private(set) var largest = -Double.infinity
  private(set) var mean = 0.0
  private var lows: [Double] = []
  private var highs: [Double] = []
  /// The factors of a value; nil if it is what is shown.
  private let exactScale: (scale: ExactDecimal, offset: ExactDecimal)?
  private let scale: Double
  private let offset: Double

  init(_ stream: StreamDescription, _ channel: StreamDescription.Channel) {
    (name, unit) = (channel.name, channel.unit ?? "")
    let isPlain = stream.isScaled || (channel.scale == .one && channel.offset.significand == 0)
    exactScale = isPlain ? nil : (channel.scale, channel.offset)
    scale = isPlain ? 1 : channel.scale.approximate
    offset = isPlain ? 0 : channel.offset.approximate
  }

  func scaled(_ value: ExactDecimal) -> Double { (value.approximate + offset) * scale }

  /// The value with all its digits; nil if it has too many.
  func exact(_ value: ExactDecimal) -> String? {
    guard let exactScale else { return value.description }
    return value.scaled(by: exactScale.scale, offset: exactScale.offset)?.description
  }

  /// - Parameter place: The place of the half second; nil if it is older than a minute.
  @inline(__always)
  mutating func add(_ exact: ExactDecimal, at place: Int?) {
    guard !exact.isMissing else { return }
    last = exact
    let value = scaled(exact)
    count += 1
    if value < smallest { smallest = value }
    if value > largest { largest = value }
    mean += (value - mean) / Double(count)
    guard let place else { return }
    if lows.isEmpty {
      lows = Array(repeating: .infinity, count: LiveMinute.count)
      highs = Array(repeating: -.infinity, count: LiveMinute.count)
    }
    if value < lows[place] { lows[place] = value }
    if value > highs[place] { highs[place] = value }
  }

  mutating func clear(_ place: Int) {
    if !lows.isEmpty { (lows[place], highs[place]) = (.infinity, -.infinity) }
  }

  /// The values of a half second; nil if there are none.
  func column(_ place: Int) -> Sparkline.Column {
    guard !lows.isEmpty, lows[place] <= highs[place] else { return nil }
    return lows[place]...highs[place]
  }
}
