package import SluiceReadings
public import SluiceStages

/// Joins all streams to one table with a row for each time.
package struct JoinStage: ProcessingStage {
  package static let name = "join"
  package static let makes = true
  package static let word: StageWord? = StageWord(
    "join", "hold|exact|wait",
    "Join all streams to one table with a row for each time. A channel without a value at this time holds its last one (hold), is empty (exact), or waits for its next one (wait)."
  ) { text in
    Join.Rule(rawValue: text).map { Self($0) }
  }
  package static let settings = Settings<Self>(.optional("rule", \.rule, .choice)) { Self() }

  package var rule = Join.Rule.hold

  package var endsByTime: Bool { true }

  package init(_ rule: Join.Rule = .hold) { self.rule = rule }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Join { try Join(rule, inputs: inputs) }
}

extension StagePlan {
  /// Joins all streams to one table with a row for each time.
  /// - Parameter rule: What a channel has in a row of a time at which its stream has no reading.
  public static func join(_ rule: Join.Rule = .hold) -> StagePlan { StagePlan(JoinStage(rule)) }
}
