import ArgumentParser
import SluicePipeline

/// A period as a time, or as a rate: `100ms`, `10Hz`, `2.5kHz`.
struct PeriodArgument: ExpressibleByArgument {
  let span: TimeSpan

  init?(argument: String) {
    guard let span = TimeSpan(period: argument) else { return nil }
    self.span = span
  }
}
