import Measurement

/// What a workload took, on whatever it runs on.
struct Result: Codable {
  let workload: String
  /// Nanoseconds per value, a round each.
  var sluice: [Double] = []
  var openCombine: [Double]?
  var loop: [Double]?
  var calls: [Double]?
  let timesAsFastTarget: Double?
  let timesTheLoopTarget: Double?

  init(_ workload: Workload) {
    self.workload = workload.name
    timesAsFastTarget = workload.timesAsFast
    timesTheLoopTarget = workload.timesTheLoop
  }

  mutating func add(_ time: Double, of library: Workload.Library) {
    switch library {
    case .sluice: sluice.append(time)
    case .openCombine: openCombine = (openCombine ?? []) + [time]
    case .loop: loop = (loop ?? []) + [time]
    case .calls: calls = (calls ?? []) + [time]
    }
  }

  var timesAsFast: Double? { openCombine.map { $0.median / sluice.median } }
  var timesTheLoop: Double? { loop.map { sluice.median / $0.median } }
  var timesTheCalls: Double? { calls.map { sluice.median / $0.median } }

  /// The targets, with a word for those that are missed.
  var targets: [String] {
    var targets: [String] = []
    if let target = timesAsFastTarget, let timesAsFast {
      targets.append("\(figure(target)) times as fast" + (timesAsFast < target ? ": missed" : ""))
    }
    if let target = timesTheLoopTarget, let timesTheLoop {
      targets.append("\(figure(target)) times the loop" + (timesTheLoop > target ? ": missed" : ""))
    }
    return targets
  }
}

/// How the cost of a value grows with the number of inputs.
struct Growth: Codable {
  let workload: String
  /// Cost against that at the smallest number.
  let ratios: [Double]
  let target: Double

  var isMet: Bool { ratios.allSatisfy { $0 <= target } }

  /// - Parameter prefix: What the names of these workloads begin with.
  init?(_ prefix: String, in results: [Result], target: Double) {
    let medians = results.filter { $0.workload.hasPrefix(prefix) }.map(\.sluice.median)
    guard medians.count > 1, let first = medians.first else { return nil }
    workload = prefix
    ratios = medians.map { $0 / first }
    self.target = target
  }
}

/// Everything, as it is kept.
struct Results: Codable {
  let machine: Machine
  let unit: String
  let results: [Result]
  let growth: [Growth]
}

extension [Double] {
  /// Of an odd number.
  var median: Double { sorted()[count / 2] }
}
