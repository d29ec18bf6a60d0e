package import SluiceReadings
package import SluiceStages

/// Leaves out each reading with the same values as the last reading of its stream that passed.
package struct DedupeStage: ProcessingStage {
  package static let name = "dedupe"
  package static let leavesOut = true

  package init() {}

  package func processor(for inputs: InputStreams) throws(SluiceError) -> OnChange {
    try OnChange(.equal, inputs: inputs)
  }
}

extension DedupeStage {
  private enum CodingKeys: CodingKey, CaseIterable {}

  package init(from decoder: any Decoder) throws { _ = try PlanObject<CodingKeys>(decoder, of: Self.self) }

  package func encode(to encoder: any Encoder) throws {}
}

extension StagePlan {
  /// Leaves out each reading with the same values as the last reading of its stream that passed.
  public static var dedupe: StagePlan { StagePlan(DedupeStage()) }
}
