package import SluiceReadings
package import SluiceStages

/// Debounces a line: leaves out short levels.
package struct SettleStage: ProcessingStage {
  package static let name = "settle"
  package static let leavesOut = true

  package var time: TimeSpan
  /// The name of the line; nil for every line.
  package var line: String?

  package init(time: TimeSpan, line: String? = nil) {
    self.time = time
    self.line = line
  }

  package var endsByTime: Bool { true }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Settle {
    try Settle(time: time.nanoseconds, line: line, inputs: inputs)
  }
}

extension SettleStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case time, line }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    time = try object.required(.time, object.value(.time))
    line = try object.text(.line)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time, forKey: .time)
    try container.encodeIfPresent(line, forKey: .line)
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
