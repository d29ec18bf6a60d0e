import SluicePipeline
import SluiceReadings

/// What limits one run of a plan or of a station file.
struct RunLimits: Sendable {
  var duration: TimeSpan?
  var count: Int?

  init(_ limits: RecordingPlan.Limits) { (duration, count) = (limits.duration, limits.count) }

  /// The plan with these limits instead of its own.
  func limited(_ plan: RecordingPlan) throws(SluiceError) -> RecordingPlan {
    guard duration != nil || count != nil else { return plan }
    var plan = plan
    if count != nil { plan.limits.count = count }
    if var replay = plan.replay {
      if duration != nil { (replay.duration, replay.to) = (duration, nil) }
      plan.input = .trace(replay)
    } else if duration != nil {
      plan.limits.duration = duration
    }
    try plan.validate()
    return plan
  }
}
