package import SluiceReadings
package import SluiceStages

/// Measures the width and the period of each pulse of a line.
package struct PulseWidthStage: ProcessingStage {
  package static let name = "pulse-width"
  package static let makes = true

  /// The name of the line; nil for every line.
  package var line: String?

  package init(line: String? = nil) { self.line = line }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> LineProcessor<PulseWidth> {
    try LineProcessor(PulseWidth(), line: line, inputs: inputs)
  }
}

extension PulseWidthStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case line }

  package init(from decoder: any Decoder) throws {
    line = try PlanObject<CodingKeys>(decoder, of: Self.self).text(.line)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(line, forKey: .line)
  }
}

extension StagePlan {
  /// Measures the width and the period of each pulse of a line.
  /// - Parameter line: The name of the line; nil for every line.
  public static func pulseWidth(of line: String? = nil) -> StagePlan { StagePlan(PulseWidthStage(line: line)) }
}
