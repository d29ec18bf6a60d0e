package import SluiceReadings
public import SluiceStages

/// Computes minimum, mean, maximum and count of each channel per time window.
package struct ReduceStage: ProcessingStage {
  package static let name = "reduce"
  package static let makes = true

  package var interval: TimeSpan
  /// The functions, at least one, none of them twice.
  package var functions: [Reduce.Function]

  package init(interval: TimeSpan, functions: [Reduce.Function]) {
    self.interval = interval
    self.functions = functions
  }

  /// `1m:min,mean,max`, or `1m` for all functions.
  package init?(_ argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let interval = TimeSpan(String(parts[0])) else { return nil }
    var functions = Reduce.Function.allCases
    if parts.count == 2 {
      let names = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      functions = names.compactMap { Reduce.Function(rawValue: String($0)) }
      guard functions.count == names.count, Set(functions).count == functions.count else { return nil }
    }
    self.init(interval: interval, functions: functions)
  }

  package var endsByTime: Bool { true }
  package var window: Int64 { interval.nanoseconds }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Reduce {
    try Reduce(interval: interval.nanoseconds, functions, inputs: inputs)
  }
}

extension ReduceStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case interval, functions }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    interval = try object.required(.interval, object.value(.interval))
    let names = try object.texts(.functions)
    functions = names.compactMap(Reduce.Function.init)
    guard functions.count == names.count, Set(functions).count == functions.count else {
      let all = Reduce.Function.allCases.map(\.rawValue).joined(separator: ", ")
      throw object.error(.functions, " takes a list of \(all), each once")
    }
    if functions.isEmpty { functions = Reduce.Function.allCases }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(interval, forKey: .interval)
    if functions != Reduce.Function.allCases { try container.encode(functions.map(\.rawValue), forKey: .functions) }
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
