import ArgumentParser
import SluicePipeline

/// `--intervals`, or `--intervals 1ms` with the period that is wanted. A rate such as `1kHz` is a period too.
struct IntervalsArgument: ExpressibleByArgument {
  /// Nil to find it.
  let period: TimeSpan?

  init() { period = nil }

  init?(argument: String) {
    guard let period = TimeSpan(period: argument) else { return nil }
    self.period = period
  }
}

extension TimeSpan {
  /// A period as a time, or as a rate: `100ms`, `10Hz`, `2.5kHz`, `1MHz`.
  init?(period text: String) {
    for (unit, scale) in [("kHz", 1e3), ("MHz", 1e6), ("Hz", 1.0)] where text.hasSuffix(unit) {
      guard let rate = Double(text.dropLast(unit.count)), rate > 0,
        let span = Int64(exactly: (1e9 / (rate * scale)).rounded()), span > 0
      else { return nil }
      self = .nanoseconds(span)
      return
    }
    self.init(text)
  }
}
