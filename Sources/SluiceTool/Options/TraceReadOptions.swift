import ArgumentParser
import SluicePipeline
public import SluiceRecording

extension TraceTimes: NamedChoice {}

/// The options for reading a trace.
struct TraceReadOptions: ParsableArguments {
  @OptionGroup var format: TraceFormatOptions

  @Option(
    help: ArgumentHelp(
      "Use the recorded times, or correct them with the clock of the metadata.",
      valueName: "recorded|corrected"))
  var times: TraceTimes = .recorded

  @Option(
    help: ArgumentHelp(
      "Put readings into the order of their times if they are out of order by no more than T, such as 50ms. Others are late.",
      valueName: "T"))
  var reorder: TimeSpan?

  /// The plan of these traces, read from their beginnings to their ends.
  func plan(_ files: [String]) throws -> ReplayPlan {
    var plan = try format.plan(files)
    (plan.times, plan.reorder) = (times, reorder)
    return plan
  }
}
