package import SluiceStages

/// Measures the width and the period of each pulse of a line.
package struct PulseWidthStage: LineStage {
  package static let name = "pulse-width"
  package static let word: StageWord? = StageWord(
    "pulse-width", "LINE|all", "Measure width and period of each pulse of a line, or of all lines.", isRepeated: true
  ) { Self(line: $0 == "all" ? nil : $0) }
  package static let settings = Settings<Self>(.optional("line", \.line, .text)) { Self() }

  package var line: String?

  package func decoder() -> PulseWidth { PulseWidth() }
}

extension StagePlan {
  /// Measures the width and the period of each pulse of a line.
  /// - Parameter line: The name of the line; nil for every line.
  public static func pulseWidth(of line: String? = nil) -> StagePlan { StagePlan(PulseWidthStage(line: line)) }
}
