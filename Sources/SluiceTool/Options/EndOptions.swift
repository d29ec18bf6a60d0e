import SluiceArguments
import SluicePipeline
import SluiceReadings

/// The options that end a recording, or keep it from its begin.
struct EndOptions: ArgumentGroup {
  var duration: TimeSpan?
  var count: Int?
  var idleTimeout: TimeSpan?
  var maxClockError: TimeSpan?

  static var rows: [ArgumentRow<Self>] {
    [
      .option("duration", "T", "Stop after T, such as 500ms, 90s or 5m.", \.duration),
      .option("count", short: "n", "N", "Stop after N received readings.", \.count)
        .named("-s", "--samples", in: "iio_readdev"),
      .option("idle-timeout", "T", "Stop when nothing has come for T, such as 30s.", \.idleTimeout)
        .named("-T", "--timeout", in: "iio_readdev"),
      .option(
        "max-clock-error", "T",
        "Do not begin if the wall clock is not synchronised, or may be wrong by more than T, such as 10ms; readings that come while the clock is worse than this are flagged.",
        \.maxClockError),
    ]
  }

  var isEmpty: Bool { runLimits.isEmpty && !hasMoreThanRunLimits }

  /// Whether there is an option that only the plan or the station file may set.
  var hasMoreThanRunLimits: Bool { idleTimeout != nil || maxClockError != nil }

  var runLimits: RunLimits { RunLimits(duration: duration, count: count) }

  func validate() throws {
    if let count, count < 1 { throw ArgumentFault("--count takes 1 or more readings") }
  }
}

/// The options that limit one run of a plan or of a station file.
struct RunLimits: Sendable {
  var duration: TimeSpan?
  var count: Int?

  var isEmpty: Bool { duration == nil && count == nil }

  /// The plan with these limits instead of its own.
  func limited(_ plan: RecordingPlan) throws(SluiceError) -> RecordingPlan {
    guard !isEmpty else { return plan }
    var plan = plan
    if count != nil { plan.limits.count = count }
    if var replay = plan.replay {
      if duration != nil { replay.duration = duration }
      plan.input = .trace(replay)
    } else if duration != nil {
      plan.limits.duration = duration
    }
    try plan.validate()
    return plan
  }
}
