import SluiceArguments
import SluicePipeline

/// A time that repeats, in whole nanoseconds: `100ms`, or a rate such as `10Hz`.
struct RepeatedTime: TimeArgument {
  let time: TimeSpan

  init?(argument: String) {
    guard let time = TimeSpan(period: argument) else { return nil }
    self.time = time
  }
}
