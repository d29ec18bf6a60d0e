package import SluiceReadings

/// Learns the grammar of lines, and their streams, from the first of them.
///
/// ```swift
/// var learner = LineLearner(LineForm(), stream: "ttyUSB0")
/// learner.add(Array("temp:21.5,hum:40".utf8))
/// let grammar = try learner.grammar(isLast: true)  // one stream with the channels temp and hum
/// ```
package struct LineLearner {
  private let form: LineForm
  private let stream: String
  /// Whether the first line may be the end of one, as from a serial port.
  private let mayBeTorn: Bool
  /// The lines so far, without empty ones.
  private var lines: [[UInt8]] = []

  /// The largest number of lines. Names that come later are left out.
  private static let most = 100

  /// The lines that a board may print before its values.
  private static let greeting = 20

  /// - Parameter stream: The name of the stream; also the name of the source in errors.
  package init(_ form: LineForm, stream: String, mayBeTorn: Bool = false) {
    (self.form, self.stream, self.mayBeTorn) = (form, stream, mayBeTorn)
  }

  package mutating func add(_ line: [UInt8]) {
    let text = line.withUnsafeBufferPointer { Array(ExactDecimal.trim($0)) }
    if !text.isEmpty, text[0] != UInt8(ascii: "#"), lines.count < Self.most { lines.append(text) }
  }

  /// Whether there is a line, so that the wait for more of them has an end.
  package var hasLine: Bool { !lines.isEmpty }

  /// The grammar; nil if more lines are needed.
  /// - Parameter isLast: Whether no more lines are waited for.
  /// - Throws: If the lines have no number, no such time, or are of no known form.
  package func grammar(isLast: Bool) throws(SluiceError) -> (any LineGrammar)? {
    if form.kind == .nmea { return NMEALines(stream: stream, hasOwnTime: form.time != nil) }
    guard !lines.isEmpty, !mayBeTorn || lines.count > 1 else { return nil }
    // A torn line may look like anything; a row of names is whole, because it comes once.
    var sample = lines
    if mayBeTorn, !Self.hasNames(lines) { sample.removeFirst() }
    guard let kind = form.kind ?? Self.kind(sample) else {
      if !isLast, lines.count < Self.greeting { return nil }
      throw SluiceError(
        .malformed, "read the lines of", stream,
        because: "\(sample[0].withUnsafeBufferPointer { shown($0) }) is of no known form",
        remedy:
          "say what they are like: as=\(LineForm.Kind.allCases.map(\.rawValue).joined(separator: "|")), or match=REGEX")
    }
    switch kind {
    case .nmea: return NMEALines(stream: stream, hasOwnTime: form.time != nil)
    case .csv:
      // The rows have the dialect, and say which columns are text.
      let rows = TableRows(TableText(lines: sample), from: 0, mayBeSpaced: false)?.rows.count ?? 0
      guard isLast ? rows > 0 || sample.count > 1 : rows >= TableText.rowsOfPipe || lines.count >= Self.greeting else {
        return nil
      }
      do throws(SluiceError) {
        return try CSVLines(
          sample, stream: stream, named: form.names, time: form.time, unit: form.timeUnit)
      } catch {
        if !isLast, lines.count < Self.greeting { return nil }
        throw error
      }
    default: break
    }
    guard isLast || lines.count == Self.most else { return nil }
    switch kind {
    case .pairs: return try named(PairFields(sign: UInt8(ascii: ":")), sample)
    case .assignments: return try named(PairFields(sign: UInt8(ascii: "=")), sample)
    case .json: return try named(JSONFields(), sample)
    case .influx: return try named(InfluxFields(hasTime: form.time != nil), sample)
    case .numbers: return try named(NumberFields(), sample)
    case .match, .csv, .nmea:
      let fields: MatchFields
      do throws(LineFault) { fields = try MatchFields(form.pattern ?? "") } catch {
        throw SluiceError(.usage, "read the lines of", stream, because: error.cause)
      }
      return try named(fields, sample)
    }
  }

  private func named(_ fields: some LineFields, _ sample: [[UInt8]]) throws(SluiceError) -> any LineGrammar {
    try NamedLines(fields, sample, stream: stream, titles: form.names, time: form.time, unit: form.timeUnit)
  }

  // MARK: Kinds

  /// The kind of the first line that is of one, since a program may print a greeting before its values.
  private static func kind(_ lines: [[UInt8]]) -> LineForm.Kind? {
    if hasNames(lines) { return .csv }
    return lines.lazy.compactMap { $0.withSlack { kind(of: $0) } }.first
  }

  /// Whether the first line is a row of names: words that numbers follow, as many.
  private static func hasNames(_ lines: [[UInt8]]) -> Bool {
    guard lines.count > 1 else { return false }
    guard let rows = TableRows(TableText(lines: Array(lines.prefix(2))), from: 0, mayBeSpaced: false) else {
      return false
    }
    return rows.header?.line == 0 && rows[0].count == rows.count && !rows[0].contains("")
  }

  private static func kind(of line: UnsafeBufferPointer<UInt8>) -> LineForm.Kind? {
    if NMEALines.isOne(line) { return .nmea }
    if line[0] == UInt8(ascii: "{") { return fits(JSONFields(), line) ? .json : nil }
    if fits(PairFields(sign: UInt8(ascii: ":")), line) { return .pairs }
    if fits(PairFields(sign: UInt8(ascii: "=")), line) { return .assignments }
    if fits(InfluxFields(), line) { return .influx }
    let rows = TableRows(TableText(lines: [Array(line)]), from: 0, mayBeSpaced: false)
    if let rows, rows.count > 1, rows[0].contains(where: { DecimalText($0) != nil }) { return .csv }
    let words = line.split(whereSeparator: PairFields.separates)
    let areNumbers = words.allSatisfy { LineNumber.isNumber(UnsafeBufferPointer(rebasing: $0)) }
    if areNumbers { return words.count == 1 ? .csv : .numbers }
    return LineUnit.areNumbers(line) ? .numbers : nil
  }

  /// Whether a line has a number in these fields.
  private static func fits(_ fields: some LineFields, _ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var fields = fields
    var hasNumber = false
    let fault = fields.split(line) { if !$0.isText, LineNumber.isNumber($0.value) { hasNumber = true } }
    return fault == nil && hasNumber
  }
}
