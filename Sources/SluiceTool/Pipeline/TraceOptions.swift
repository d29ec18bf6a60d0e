import ArgumentParser
import SluicePipeline

/// The options for reading a trace, and how much of it.
struct TraceOptions: ParsableArguments {
  @OptionGroup var reading: TraceReadOptions

  @Option(
    help: ArgumentHelp(
      "Take only these streams, or single channels as STREAM.channel, in this order.", valueName: "NAME,..."))
  var select: NameList?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Start at T after the first reading, such as 10s.", valueName: "T"))
  var start: TimeSpan?

  @Option(parsing: .unconditional, help: ArgumentHelp("Take only a part of this length, such as 1m.", valueName: "T"))
  var duration: TimeSpan?

  /// Whether only a part of the time is wanted.
  var isPart: Bool { start != nil || duration != nil }

  /// The plan of these traces, without `rate`.
  func plan(_ files: [String]) throws -> ReplayPlan {
    var plan = try reading.plan(files)
    (plan.start, plan.duration, plan.select) = (start, duration, select?.names ?? [])
    return plan
  }
}
