import SluiceArguments
import SluicePipeline
import SluiceReadings

/// The options for reading a trace or a part of it.
struct TraceOptions: ArgumentGroup {
  var reading = TraceReadOptions()
  var window = TraceWindowOptions()

  /// What the options say of a replay, without the part of its time.
  var plan: ReplayPlan {
    get { reading.format.plan }
    set { reading.format.plan = newValue }
  }

  static var rows: [ArgumentRow<Self>] {
    [
      .rows(of: \.reading),
      .setting("select", of: ReplayPlan.settings, \.plan).earlier("channels"),
      .rows(of: \.window),
    ]
  }

  func validate() throws { try window.check() }

  /// Whether only a part of the time is read.
  var isPart: Bool { window.isPart }

  /// The plan of these traces.
  func plan(_ files: [String]) throws(Fault) -> ReplayPlan {
    var plan = plan
    plan.files = files
    try window.give(to: &plan)
    try plan.check()
    return plan
  }
}
