import Measurement

/// What a workload took, on whatever it runs on.
struct Result: Codable {
  let workload: String
  /// Nanoseconds a value, a round each.
  var sluice: [Double] = []
  var openCombine: [Double]?
  var loop: [Double]?
  let timesAsFastTarget: Double?
  let timesTheLoopTarget: Double?

  var timesAsFast: Double? { openCombine.map { $0.median / sluice.median } }
  var timesTheLoop: Double? { loop.map { sluice.median / $0.median } }

  /// nil if there is no target.
  var isMet: Bool? {
    let checks = [
      timesAsFastTarget.flatMap { target in timesAsFast.map { $0 >= target } },
      timesTheLoopTarget.flatMap { target in timesTheLoop.map { $0 <= target } },
    ].compactMap { $0 }
    return checks.isEmpty ? nil : checks.allSatisfy { $0 }
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
