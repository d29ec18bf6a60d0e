package import SluiceReadings
package import SluiceStages

/// Leaves out each reading with the same values as the last reading of its stream that passed.
package struct DedupeStage: ProcessingStage {
  package static let name = "dedupe"
  package static let leavesOut = true
  package static let word: StageWord? = StageWord(
    "dedupe", nil, "Leave out readings that repeat the values of the previous reading of their stream."
  ) { _ in Self() }
  package static let settings = Settings<Self> { Self() }

  package init() {}

  package func processor(for inputs: InputStreams) throws(SluiceError) -> OnChange {
    try OnChange(.equal, inputs: inputs)
  }
}

extension StagePlan {
  /// Leaves out each reading with the same values as the last reading of its stream that passed.
  public static var dedupe: StagePlan { StagePlan(DedupeStage()) }
}
