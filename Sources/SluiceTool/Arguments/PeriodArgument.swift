import SluiceArguments
import SluicePipeline
import SluiceRecording

/// A period as a time, or as a rate: `100ms`, `10Hz`, `2.5kHz`.
struct PeriodArgument: TimeArgument {
  let period: RowPeriod

  init?(argument: String) {
    guard let period = RowPeriod(argument) else { return nil }
    self.period = period
  }
}
