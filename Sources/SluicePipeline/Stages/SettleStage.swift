package import SluiceReadings
package import SluiceStages

/// Debounces a line: leaves out short levels.
package struct SettleStage: ProcessingStage {
  package static let name = "settle"
  package static let leavesOut = true
  package static let word: StageWord? = StageWord(
    "settle", "[LINE=]T", "Debounce every line, or one line: leave out levels shorter than T.", isRepeated: true,
    why: TimeReason.why
  ) { text in
    LineTime(text).map { Self(time: $0.time, line: $0.line) }
  }
  package static let settings = Settings<Self>(
    .required("time", \.time, .period), .optional("line", \.line, .text)
  ) { Self(time: $0) }

  package var time: TimeSpan
  /// The name of the line; nil for every line.
  package var line: String?

  package var endsByTime: Bool { true }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Settle {
    try Settle(time: time.nanoseconds, line: line, inputs: inputs)
  }
}

extension StagePlan {
  /// Debounces a line: leaves out short levels.
  /// - Parameters:
  ///   - time: The shortest time of a level that passes.
  ///   - line: The name of the line; nil for every line.
  public static func settle(for time: TimeSpan, line: String? = nil) -> StagePlan {
    StagePlan(SettleStage(time: time, line: line))
  }
}
