package import SluiceReadings
public import SluiceStages

/// Computes minimum, mean, maximum and count of each channel per time window.
package struct ReduceStage: ProcessingStage {
  package static let name = "reduce"
  package static let makes = true
  package static let word: StageWord? = StageWord(
    "reduce", "T[:min,mean,max,count]",
    "Compute minimum, mean, maximum and count of each channel per window of T, or some of these.", commas: .list,
    why: TimeReason.why
  ) { Self($0) }
  package static let settings = Settings<Self>(
    .required("interval", \.interval, .period), .optional("functions", \.functions, list)
  ) { Self(interval: $0) }

  private static let list = Form<[Reduce.Function]>(.list(.choice(Reduce.Function.allCases.map(\.rawValue)))) {
    node throws(Fault) in
    let names = try node.texts()
    let functions = names.compactMap(Reduce.Function.init)
    guard functions.count == names.count, Set(functions).count == functions.count else {
      let all = Reduce.Function.allCases.map(\.rawValue).joined(separator: ", ")
      throw node.fault(" takes a list of \(all), each once")
    }
    return functions.isEmpty ? Reduce.Function.allCases : functions
  } json: {
    .array($0.map { .string($0.rawValue) })
  }

  package var interval: TimeSpan
  /// The functions, at least one, none of them twice.
  package var functions = Reduce.Function.allCases

  package var endsByTime: Bool { true }
  package var window: Int64 { interval.nanoseconds }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Reduce {
    try Reduce(interval: interval.nanoseconds, functions, inputs: inputs)
  }
}

extension ReduceStage {
  /// `1m:min,mean,max`, or `1m` for all functions.
  package init?(_ argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let interval = TimeSpan(period: String(parts[0])) else { return nil }
    var functions = Reduce.Function.allCases
    if parts.count == 2 {
      let names = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      functions = names.compactMap { Reduce.Function(rawValue: String($0)) }
      guard functions.count == names.count, Set(functions).count == functions.count else { return nil }
    }
    self.init(interval: interval, functions: functions)
  }
}

extension StagePlan {
  /// Computes minimum, mean, maximum and count of each channel per time window.
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - functions: The functions, at least one, none of them twice.
  public static func reduce(
    _ interval: TimeSpan, _ functions: [Reduce.Function] = Reduce.Function.allCases
  ) -> StagePlan { StagePlan(ReduceStage(interval: interval, functions: functions)) }
}
