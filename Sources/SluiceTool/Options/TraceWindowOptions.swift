import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings

/// A part of the time of a trace: `--from T --to T`, or `--from T --duration T`.
struct TraceWindowOptions: ArgumentGroup {
  var from: PlotInstant?
  var to: PlotInstant?
  var duration: TimeSpan?

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "from", "T",
        "Start at T after the first reading, such as 10s, or at a date, such as 2026-11-21T12:00:00Z (without a zone in UTC). 'sluice plot' also takes -10m before the last one, and a time of day such as 13:00.",
        \.from
      )
      .earlier("start"),
      .option("to", "T", "End at T: a time after the first reading, or a date, as for --from.", \.to),
      .option("duration", "T", "Take only a part of this length, such as 1m.", \.duration),
    ]
  }

  func validate() throws {
    if to != nil, duration != nil {
      throw Fault("--to and --duration both say where the part ends; give one of them")
    }
  }

  /// Whether only a part of the time is read.
  var isPart: Bool { from != nil || to != nil || duration != nil }

  /// - Throws: If plot alone takes one of the forms, or if the end is not after the start.
  func check() throws(Fault) {
    var plan = ReplayPlan("")
    try give(to: &plan)
  }

  /// Makes this the part that is replayed.
  func give(to plan: inout ReplayPlan) throws(Fault) {
    plan.from = try Self.instant(from, "--from")
    plan.to = try Self.instant(to, "--to")
    plan.duration = duration
    if plan.isEmptyWindow || to == .offset(0) { throw Fault("--to is not later than --from") }
  }

  private static func instant(_ instant: PlotInstant?, _ option: String) throws(Fault) -> TraceInstant? {
    switch instant {
    case .offset(0)?, nil: return nil
    case .offset(let offset)?: return .after(TimeSpan(nanoseconds: offset))
    case .date(let time, _)?: return .date(time)
    case .beforeEnd?, .timeOfDay?:
      throw Fault(
        "\(option) takes a time after the first reading, such as 10s, or a date; only plots over time take a time of day or a time before the end"
      )
    }
  }
}
