public import SluiceReadings
package import SluiceStages

/// Counts the pulses of a line, with an amount per pulse.
package struct PulseCountStage: ProcessingStage {
  package static let name = "pulses"
  package static let makes = true

  /// The amount per pulse, more than zero.
  package var amount: ExactDecimal
  package var unit: String?
  /// The name of the line; nil for every line.
  package var line: String?

  package init(amount: ExactDecimal, unit: String? = nil, line: String? = nil) {
    self.amount = amount
    self.unit = unit
    self.line = line
  }

  /// `0.5:l`, `METER=0.5:l`, `1`.
  package init?(_ argument: String) {
    let sign = argument.lastIndex(of: "=")
    let setting = sign.map { argument[argument.index(after: $0)...] } ?? argument[...]
    let parts = setting.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard sign != argument.startIndex, let amount = ExactDecimal(parts[0]), amount.significand > 0,
      !amount.isMissing, !parts.dropFirst().contains("")
    else { return nil }
    self.init(
      amount: amount, unit: parts.count == 2 ? String(parts[1]) : nil, line: sign.map { String(argument[..<$0]) })
  }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> LineProcessor<PulseCount> {
    try LineProcessor(PulseCount(amount: amount, unit: unit), line: line, inputs: inputs)
  }
}

extension PulseCountStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case amount, unit, line }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    let value: PlanValue = try object.required(.amount, object.value(.amount))
    guard let amount = value.written.flatMap({ ExactDecimal($0) }), amount.significand > 0, !amount.isMissing else {
      throw object.error(.amount, " takes a number greater than 0, not \(value)")
    }
    self.init(amount: amount, unit: try object.text(.unit), line: try object.text(.line))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // A string keeps all digits.
    try container.encode(amount.description, forKey: .amount)
    try container.encodeIfPresent(unit, forKey: .unit)
    try container.encodeIfPresent(line, forKey: .line)
  }
}

extension StagePlan {
  /// Counts the pulses of a line, with an amount per pulse.
  /// - Parameters:
  ///   - amount: The amount per pulse, more than zero.
  ///   - unit: The unit of the amount.
  ///   - line: The name of the line; nil for every line.
  public static func pulses(_ amount: ExactDecimal, unit: String? = nil, line: String? = nil) -> StagePlan {
    StagePlan(PulseCountStage(amount: amount, unit: unit, line: line))
  }
}
