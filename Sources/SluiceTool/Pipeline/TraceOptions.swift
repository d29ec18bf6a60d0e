import ArgumentParser
import SluicePipeline

/// How a trace is read, and how much of it.
struct TraceOptions: ParsableArguments {
  @OptionGroup var reading: TraceReadOptions

  @Option(
    help: ArgumentHelp(
      "Take only these streams, or single channels as STREAM.channel, in this order.", valueName: "NAME,..."))
  var select: NameList?

  @Option(
    help: ArgumentHelp("Leave out what comes earlier than T after the first reading.", valueName: "T"))
  var start: TimeSpan?

  @Option(help: ArgumentHelp("Take only so much of the trace.", valueName: "T"))
  var duration: TimeSpan?

  /// The plan of these traces, without a pace.
  func plan(_ files: [String]) throws -> ReplayPlan {
    var plan = try reading.plan(files)
    (plan.start, plan.duration, plan.select) = (start, duration, select?.names ?? [])
    return plan
  }
}
