import SluiceArguments
import SluicePipeline
import SluiceReadings

/// The options for reading a trace.
struct TraceReadOptions: ArgumentGroup {
  var format = TraceFormatOptions()

  static var rows: [ArgumentRow<Self>] {
    [.rows(of: \.format)] + .settings("times", "reorder", of: ReplayPlan.settings, \.format.plan)
  }

  /// The plan of these traces, read from their beginnings to their ends.
  func plan(_ files: [String]) throws(Fault) -> ReplayPlan { try format.plan(files) }
}
