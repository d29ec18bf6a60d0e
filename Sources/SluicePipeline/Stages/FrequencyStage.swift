package import SluiceReadings
package import SluiceStages

/// How many edges a line has per window of time, and its frequency.
package struct FrequencyStage: ProcessingStage {
  package static let name = "frequency"
  package static let makes = true

  package var interval: TimeSpan
  /// Nil for every line.
  package var line: String?

  package init(interval: TimeSpan, line: String? = nil) {
    self.interval = interval
    self.line = line
  }

  package var endsByTime: Bool { true }
  /// Windows without an edge give 0 until then.
  package var usesEnd: Bool { true }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Frequency {
    try Frequency(interval: interval.nanoseconds, line: line, inputs: inputs)
  }
}

extension FrequencyStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case interval, line }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    interval = try object.required(.interval, object.value(.interval))
    line = try object.text(.line)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(interval, forKey: .interval)
    try container.encodeIfPresent(line, forKey: .line)
  }
}

extension StagePlan {
  /// How many edges a line has per window of time, and its frequency.
  /// - Parameters:
  ///   - interval: The length of a window.
  ///   - line: The stream; nil for every line.
  public static func frequency(per interval: TimeSpan, line: String? = nil) -> StagePlan {
    StagePlan(FrequencyStage(interval: interval, line: line))
  }
}
