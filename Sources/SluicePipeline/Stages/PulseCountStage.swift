public import SluiceReadings
package import SluiceRecording
package import SluiceStages

/// Counts the pulses of a line, with an amount per pulse.
package struct PulseCountStage: LineStage, TotalStage {
  package static let name = "pulses"
  package static let word: StageWord? = StageWord(
    "pulses", "[LINE=]AMOUNT[:UNIT][,start=TOTAL]",
    "Count the pulses of every line, or of one line, with an amount per pulse: 0.5:l.",
    isRepeated: true, commas: .before("start=")
  ) { Self($0) }
  package static let settings = Settings<Self>(
    .required("amount", \.amount, .decimal("a number greater than 0") { $0.significand > 0 }),
    .optional("unit", \.unit, .text), .optional("line", \.line, .text), .optional("start", \.start, .decimal)
  ) { Self(amount: $0) }

  /// The amount per pulse, more than zero.
  package var amount: ExactDecimal
  package var unit: String?
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
    guard let (argument, start) = Self.split(argument, { ExactDecimal($0).flatMap { $0.isMissing ? nil : $0 } }) else {
      return nil
    }
    let sign = argument.lastIndex(of: "=")
    let setting = sign.map { argument[argument.index(after: $0)...] } ?? argument[...]
    let parts = setting.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard sign != argument.startIndex, let amount = ExactDecimal(parts[0]), amount.significand > 0,
      !amount.isMissing, !parts.dropFirst().contains("")
    else { return nil }
    self.init(
      amount: amount, unit: parts.count == 2 ? String(parts[1]) : nil, line: sign.map { String(argument[..<$0]) },
      start: start ?? .zero)
  }

  package func decoder() throws(SluiceError) -> PulseCount { try PulseCount(amount: amount, unit: unit, start: start) }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> LineProcessor<PulseCount> {
    var processor = try LineProcessor(decoder(), line: line, inputs: inputs)
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
    return line.map { line in names.contains { $0.isExactly(line) } } ?? true ? total.count("count") : nil
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

  package static let cutOffText = "it is at least that"
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
