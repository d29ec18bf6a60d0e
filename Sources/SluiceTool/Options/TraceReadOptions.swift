import SluiceArguments
import SluicePipeline
package import SluiceRecording

extension TraceTimes: NamedChoice {}

/// The options for reading a trace.
struct TraceReadOptions: ArgumentGroup {
  var format = TraceFormatOptions()
  var times: TraceTimes = .recorded
  var reorder: TimeSpan?

  static var rows: [ArgumentRow<Self>] {
    [
      .rows(of: \.format),
      .option(
        "times", "recorded|corrected",
        "Use the recorded times, or correct them with the clock of the metadata. (default: recorded)", \.times),
      .option(
        "reorder", "T",
        "Put readings into the order of their times if they are out of order by no more than T, such as 50ms. Others are late.",
        \.reorder),
    ]
  }

  /// The plan of these traces, read from their beginnings to their ends.
  func plan(_ files: [String]) throws -> ReplayPlan {
    var plan = try format.plan(files)
    (plan.times, plan.reorder) = (times, reorder)
    return plan
  }
}
