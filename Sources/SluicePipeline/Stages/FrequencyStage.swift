package import SluiceReadings
package import SluiceStages

/// Counts the edges of a line per time window, and computes its frequency.
package struct FrequencyStage: ProcessingStage {
  package static let name = "frequency"
  package static let makes = true
  package static let word: StageWord? = StageWord(
    "frequency-of", "[LINE=]T", "Count edges and measure the frequency of every line, or of one line, per window of T.",
    isRepeated: true,
    why: TimeReason.why
  ) { text in
    LineTime(text).map { Self(interval: $0.time, line: $0.line) }
  }
  package static let settings = Settings<Self>(
    .required("interval", \.interval, .period), .optional("line", \.line, .text)
  ) { Self(interval: $0) }

  package var interval: TimeSpan
  /// The name of the line; nil for every line.
  package var line: String?

  package var endsByTime: Bool { true }
  package var window: Int64 { interval.nanoseconds }
  /// True, because windows without an edge give 0 until the end of the recording.
  package var usesEnd: Bool { true }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Frequency {
    try Frequency(interval: interval.nanoseconds, line: line, inputs: inputs)
  }
}

extension StagePlan {
  /// Counts the edges of a line per time window, and computes its frequency.
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - line: The name of the line; nil for every line.
  public static func frequency(per interval: TimeSpan, line: String? = nil) -> StagePlan {
    StagePlan(FrequencyStage(interval: interval, line: line))
  }
}
