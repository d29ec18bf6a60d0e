import ArgumentParser
import SluicePipeline

/// The options for reading a trace or a part of it.
struct TraceOptions: ParsableArguments {
  @OptionGroup var reading: TraceReadOptions

  @Option(
    help: ArgumentHelp(
      "Take only these streams, or single channels as STREAM.channel, in this order.", valueName: "NAME,..."))
  var select: NameList?

  @OptionGroup var window: TraceWindowOptions

  func validate() throws { _ = try window.span() }

  /// Whether only a part of the time is read.
  var isPart: Bool { window.isPart }

  /// The plan of these traces, without `rate`.
  func plan(_ files: [String]) throws -> ReplayPlan {
    var plan = try reading.plan(files)
    (plan.start, plan.duration) = try window.span()
    plan.select = select?.names ?? []
    return plan
  }
}
