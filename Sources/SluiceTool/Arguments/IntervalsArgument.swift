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
