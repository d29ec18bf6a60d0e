package import SluiceStages

/// Decodes the temperatures of DS18B20 sensors on a 1-Wire bus.
package struct OneWireStage: LineStage {
  package static let name = "one-wire"
  package static let word: StageWord? = StageWord(
    "one-wire", "LINE|all", "Decode temperatures of DS18B20 sensors on a line, or on all lines.", isRepeated: true
  ) { Self(line: $0 == "all" ? nil : $0) }
  package static let settings = Settings<Self>(.optional("line", \.line, .text)) { Self() }

  package var line: String?

  package func decoder() -> OneWire { OneWire() }
}

extension StagePlan {
  /// Decodes the temperatures of DS18B20 sensors on a 1-Wire bus.
  /// - Parameter line: The name of the line; nil for every line.
  public static func oneWire(of line: String? = nil) -> StagePlan { StagePlan(OneWireStage(line: line)) }
}
