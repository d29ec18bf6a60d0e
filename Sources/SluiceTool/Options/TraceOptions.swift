import SluiceArguments
import SluicePipeline

/// The options for reading a trace or a part of it.
struct TraceOptions: ArgumentGroup {
  var reading = TraceReadOptions()
  var select: NameList?
  var window = TraceWindowOptions()

  static var rows: [ArgumentRow<Self>] {
    [
      .rows(of: \.reading),
      .option(
        "select", "NAME,...",
        "Take only these, in this order: STREAM, STREAM.channel, or channel for this channel of all streams.", \.select
      )
      .earlier("channels"),
      .rows(of: \.window),
    ]
  }

  func validate() throws { try window.check() }

  /// Whether only a part of the time is read.
  var isPart: Bool { window.isPart }

  /// The plan of these traces, without `rate`.
  func plan(_ files: [String]) throws -> ReplayPlan {
    var plan = try reading.plan(files)
    try window.give(to: &plan)
    plan.select = select?.names ?? []
    return plan
  }
}
