import SluiceReadings

/// Parses the times of one trace, exactly or to the nearest nanosecond. It reports each assumption once.
final class TimeParser {
  // One thread at a time reads a trace.

  let unit: TraceFormat.Unit
  private let name: String
  private let power: Int
  /// The time from which the times count.
  private let zero: Int64
  private let pointBits: UInt8
  private var warn: (String) -> Void = { _ in }
  private var isRounding = false
  private var isWithoutZone = false
  private var isWithoutTimeOfDay = false

  /// - Parameters:
  ///   - name: The name of the trace in messages.
  ///   - zero: The time from which the times count.
  ///   - pointBits: See ``CSVDialect/pointBits``.
  init(_ unit: TraceFormat.Unit, of name: String, zero: Int64 = 0, pointBits: UInt8 = 0) {
    self.unit = unit
    self.zero = zero
    self.name = name
    self.pointBits = pointBits
    power = unit.power
  }

  /// Begins to report assumptions.
  func begin(_ warn: @escaping (String) -> Void) {
    self.warn = warn
    (isRounding, isWithoutZone, isWithoutTimeOfDay) = (false, false, false)
  }

  /// The fault of a time.
  struct Fault: Error {
    var cause: String
    var remedy: String?
  }

  /// The time for a parsed number; nil if it does not fit, or if more text follows.
  @inline(never)
  func time(_ value: ExactDecimal, isWhole: Bool) -> Int64? {
    guard unit != .iso8601, isWhole, let time = RoundedTime(value, power: power) else { return nil }
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(zero)
    if overflow { return nil }
    if time.isRounded { sayRounded() }
    return sum
  }

  /// The time in a cell without quotes and spaces.
  func time(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Int64 {
    if unit == .iso8601 { return try said(text) { (text) throws(CivilTime.Fault) in try CivilTime(text) } }
    guard let time = RoundedTime(text, power: power, since: zero, pointBits: pointBits) else { throw fault(text) }
    if time.isRounded { sayRounded() }
    return time.nanoseconds
  }

  /// The midnight of the date in a cell, or the time since midnight.
  func part(_ role: CellRole, _ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Int64 {
    try said(text) { (text) throws(CivilTime.Fault) in
      try role == .date ? CivilTime(date: text) : CivilTime(timeOfDay: text)
    }
  }

  private func said(
    _ text: UnsafeBufferPointer<UInt8>,
    _ parse: (UnsafeBufferPointer<UInt8>) throws(CivilTime.Fault) -> CivilTime
  ) throws(Fault) -> Int64 {
    do throws(CivilTime.Fault) {
      let time = try parse(text)
      if time.isRounded { sayRounded() }
      if !time.hasZone { sayZone() }
      if !time.hasTimeOfDay { sayMidnight() }
      return time.nanoseconds
    } catch {
      throw Fault(cause: "\(shown(text)) \(error.cause)", remedy: remedy(error, text))
    }
  }

  private func remedy(_ fault: CivilTime.Fault, _ text: UnsafeBufferPointer<UInt8>) -> String? {
    if fault == .noTime, DecimalText(text, pointBits: pointBits) != nil { return "give --time-unit s, ms, us or ns" }
    if fault == .ambiguousDate { return "write it as 2024-03-01 or 01.03.2024" }
    if fault == .noDate { return "use --time-column to name a time that includes the date" }
    return nil
  }

  private func fault(_ text: UnsafeBufferPointer<UInt8>) -> Fault {
    if DecimalText(text, pointBits: pointBits) != nil {
      return Fault(cause: "\(shown(text, isQuoted: false)) \(unit.rawValue) does not fit in 64 bits of nanoseconds")
    }
    var isDate = false
    do throws(CivilTime.Fault) {
      _ = try CivilTime(text)
      isDate = true
    } catch {
      isDate = error != .noTime
    }
    return Fault(cause: "\(shown(text)) is not a time", remedy: isDate ? "give --time-unit iso" : nil)
  }

  private func sayRounded() {
    if isRounding { return }
    isRounding = true
    let doubt = unit == .nanoseconds ? "; if they are not in nanoseconds, give --time-unit" : ""
    warn("\(name): times were rounded to whole nanoseconds\(doubt)")
  }

  private func sayZone() {
    if isWithoutZone { return }
    isWithoutZone = true
    warn("\(name): its times have no zone and are read as UTC")
  }

  private func sayMidnight() {
    if isWithoutTimeOfDay { return }
    isWithoutTimeOfDay = true
    warn("\(name): it has dates without a time of day, which are read as midnight")
  }
}

/// The text of a cell for an error: short, and without control characters of a terminal.
func shown(_ text: UnsafeBufferPointer<UInt8>, isQuoted: Bool = true) -> String {
  let limit = 48
  let start = String(decoding: text.prefix(limit), as: UTF8.self)
  let plain =
    start.unicodeScalars.map { scalar in
      scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
        ? "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar)
    }.joined() + (text.count > limit ? "..." : "")
  return isQuoted ? "\"\(plain)\"" : plain
}
