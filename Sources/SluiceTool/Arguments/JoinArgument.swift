import SluiceArguments
import SluicePipeline
import SluiceStages

/// `--join`, `--join=exact`, `--join=100ms`, `--join=10Hz:linear`.
struct JoinArgument: TimeArgument {
  /// How a row per T gets its values.
  enum Method: String {
    case hold, linear, mean
  }

  private(set) var interval: TimeSpan?
  private var method = Method.hold
  private var rule = Join.Rule.hold

  init() {}

  init?(argument: String) {
    // A table whose channels wait for their next values is a part of linear interpolation.
    if let rule = Join.Rule(rawValue: argument), rule != .wait {
      self.rule = rule
      return
    }
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(parts.count), let interval = TimeSpan(period: parts[0]) else { return nil }
    self.interval = interval
    guard parts.count == 2 else { return }
    guard let method = Method(rawValue: parts[1]) else { return nil }
    self.method = method
  }

  /// Windows without a reading have no mean and no value between, so nothing is held there.
  var stages: [StagePlan] {
    guard let interval else { return [.join(rule)] }
    switch method {
    case .hold: return [.resample(interval, .last), .join(.hold)]
    case .linear: return [.resample(interval, .linear), .join(.wait)]
    case .mean: return [.resample(interval, .mean), .join(.exact)]
    }
  }
}
