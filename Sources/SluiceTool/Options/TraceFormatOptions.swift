import SluiceArguments
import SluicePipeline
import SluiceReadings

/// The options for the format of a trace.
struct TraceFormatOptions: ArgumentGroup {
  var plan = ReplayPlan("")

  static var rows: [ArgumentRow<Self>] {
    .settings(
      "time-column", "time-unit", "time-format", "date", "timezone", "period", "skip-lines", "column-names", "columns",
      "dbc", "skip-bad", "scan-layout", "sample-rate", "lines", of: ReplayPlan.settings, \.plan)
  }

  func validate() throws { try ReplayPlan.settings.check(plan) }

  /// The plan of these traces, read from their beginnings to their ends.
  func plan(_ files: [String]) throws(Fault) -> ReplayPlan {
    var plan = plan
    plan.files = files
    try plan.check()
    return plan
  }
}
