import SluiceArguments
import SluicePipeline
import SluiceRecording

/// `--intervals`, or `--intervals 1ms` with the period that is wanted. A rate such as `1kHz` is a period too.
struct IntervalsArgument: ArgumentValue {
  /// Nil to find it.
  let period: RowPeriod?

  /// The word for a period that is found, which `--intervals` alone stands for.
  static let found = "found"

  init?(argument: String) {
    if argument == Self.found {
      period = nil
      return
    }
    guard let period = RowPeriod(argument) else { return nil }
    self.period = period
  }
}
