package import SluiceReadings
package import SluiceStages

/// Decodes the temperatures of DS18B20 sensors on a 1-Wire bus.
package struct OneWireStage: ProcessingStage {
  package static let name = "one-wire"
  package static let makes = true

  /// The name of the line; nil for every line.
  package var line: String?

  package init(line: String? = nil) { self.line = line }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> LineProcessor<OneWire> {
    try LineProcessor(OneWire(), line: line, inputs: inputs)
  }
}

extension OneWireStage {
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
  /// Decodes the temperatures of DS18B20 sensors on a 1-Wire bus.
  /// - Parameter line: The name of the line; nil for every line.
  public static func oneWire(of line: String? = nil) -> StagePlan { StagePlan(OneWireStage(line: line)) }
}
