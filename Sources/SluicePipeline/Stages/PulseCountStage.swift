public import SluiceReadings
package import SluiceRecording
package import SluiceStages

/// Counts the pulses of a line, with an amount per pulse.
package struct PulseCountStage: ProcessingStage {
  package static let name = "pulses"
  package static let makes = true
  package static let makesTotals = true

  /// The amount per pulse, more than zero.
  package var amount: ExactDecimal
  package var unit: String?
  /// The name of the line; nil for every line.
  package var line: String?
  /// The total before the first pulse of a new recording.
  package var start: ExactDecimal
  /// The totals of an earlier run; not in the plan.
  private var earlier: [TraceMetadata.Total] = []

  package init(amount: ExactDecimal, unit: String? = nil, line: String? = nil, start: ExactDecimal = .zero) {
    self.start = start
    self.amount = amount
    self.unit = unit
    self.line = line
  }

  /// `0.5:l`, `METER=0.5:l`, `1`, `0.5:l,start=1234.5`.
  package init?(_ argument: String) {
    var argument = argument[...]
    var start = ExactDecimal.zero
    if let comma = argument.lastIndex(of: ","), argument[comma...].hasPrefix(Self.startKey) {
      guard let value = ExactDecimal(argument[comma...].dropFirst(Self.startKey.count)), !value.isMissing else {
        return nil
      }
      (start, argument) = (value, argument[..<comma])
    }
    let sign = argument.lastIndex(of: "=")
    let setting = sign.map { argument[argument.index(after: $0)...] } ?? argument[...]
    let parts = setting.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard sign != argument.startIndex, let amount = ExactDecimal(parts[0]), amount.significand > 0,
      !amount.isMissing, !parts.dropFirst().contains("")
    else { return nil }
    self.init(
      amount: amount, unit: parts.count == 2 ? String(parts[1]) : nil, line: sign.map { String(argument[..<$0]) },
      start: start)
  }

  private static let startKey = ",start="

  package func processor(for inputs: InputStreams) throws(SluiceError) -> LineProcessor<PulseCount> {
    var processor = try LineProcessor(
      PulseCount(amount: amount, unit: unit, start: start), line: line, inputs: inputs)
    for total in earlier {
      guard let (count, sum) = values(of: total) else { continue }
      processor.prepare(total.stream, flags: total.isAtLeast ? .atLeast : []) { $0.goOn(count: count, total: sum) }
    }
    return processor
  }

  /// The count and the total of an earlier run; nil if the stage cannot go on from it.
  private func values(of total: TraceMetadata.Total) -> (count: Int64, total: ExactDecimal)? {
    guard let count = count(of: total), let sum = total.values["total"], var pulses = try? PulseCount(amount: amount),
      pulses.goOn(count: count, total: sum)
    else { return nil }
    return (count, sum)
  }

  /// The count of an earlier run; nil if the total is not one of this stage.
  private func count(of total: TraceMetadata.Total) -> Int64? {
    let names = [total.stream, StreamDescription.Channel.level, "\(total.stream).\(StreamDescription.Channel.level)"]
    return line.map(names.contains) ?? true ? total.count("count") : nil
  }

  package func text(of total: TraceMetadata.Total) -> String? {
    count(of: total).map { count in
      let pulses = "(\(grouped(Int(count))) pulse\(count == 1 ? "" : "s"))"
      return "\(total.values["total"].map { "\($0)\(unit.map { " \($0)" } ?? "")" } ?? "an unknown total") \(pulses)"
    }
  }

  package func reason(againstGoingOnFrom total: TraceMetadata.Total) -> String? {
    guard values(of: total) == nil else { return nil }
    return "with the amount \(amount) it would have too many digits; it begins at \(start)"
  }

  package var startText: String? { start == .zero ? nil : "start=\(start)" }

  package func total(
    ofRow row: TraceMetadata.Total, from start: TraceMetadata.Total?, scaled: Set<String>, isRounded: Bool
  ) -> TraceMetadata.Total? {
    var row = row
    // Count and total only grow, so the maximum of a window is its last value.
    for name in ["count", "total"] where row.values[name] == nil { row.values[name] = row.values["\(name)_max"] }
    guard !scaled.contains("count"), let count = count(of: row) else { return nil }
    if isRounded || scaled.contains("total"), var pulses = try? PulseCount(amount: amount, start: self.start) {
      if let start = start.flatMap(values) { pulses.goOn(count: start.count, total: start.total) }
      row.values["total"] = pulses.total(at: count)
    }
    return row
  }

  package func goingOn(from totals: [TraceMetadata.Total]) -> PulseCountStage {
    var stage = self
    stage.earlier = totals
    return stage
  }
}

extension PulseCountStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case amount, unit, line, start }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    let value: PlanValue = try object.required(.amount, object.value(.amount))
    guard let amount = value.written.flatMap({ ExactDecimal($0) }), amount.significand > 0, !amount.isMissing else {
      throw object.error(.amount, " takes a number greater than 0, not \(value)")
    }
    self.init(amount: amount, unit: try object.text(.unit), line: try object.text(.line))
    if let value: PlanValue = try object.value(.start) {
      guard let start = value.written.flatMap({ ExactDecimal($0) }), !start.isMissing else {
        throw object.error(.start, " takes a number, not \(value)")
      }
      self.start = start
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // A string keeps all digits.
    try container.encode(amount.description, forKey: .amount)
    try container.encodeIfPresent(unit, forKey: .unit)
    try container.encodeIfPresent(line, forKey: .line)
    if start != .zero { try container.encode(start.description, forKey: .start) }
  }
}

extension StagePlan {
  /// Counts the pulses of a line, with an amount per pulse.
  /// - Parameters:
  ///   - amount: The amount per pulse, more than zero.
  ///   - unit: The unit of the amount.
  ///   - line: The name of the line; nil for every line.
  ///   - start: The total before the first pulse of a new recording, such as the number on the meter.
  public static func pulses(
    _ amount: ExactDecimal, unit: String? = nil, line: String? = nil, start: ExactDecimal = .zero
  ) -> StagePlan {
    StagePlan(PulseCountStage(amount: amount, unit: unit, line: line, start: start))
  }
}
