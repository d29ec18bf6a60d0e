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
  private var isTwice = false
  private var isNever = false
  /// What the user has said about the text.
  private let reading: TimeReading
  /// The patterns of a date and of a time of day in two columns.
  private let patterns: (date: TimePattern, time: TimePattern)?
  /// Whether a part of the time of this row has a zone.
  private var hasZone = false
  /// The time of day of the row before, and the days since the date that was given.
  private var timeOfDay = Int64.min
  private var days: Int64 = 0
  /// The last time of a zone, to tell the two hours of a change apart.
  private var last = Int64.min

  /// - Parameters:
  ///   - name: The name of the trace in messages.
  ///   - zero: The time from which the times count.
  ///   - pointBits: See ``CSVDialect/pointBits``.
  ///   - reading: What the user has said about the text.
  init(
    _ unit: TraceFormat.Unit, of name: String, zero: Int64 = 0, pointBits: UInt8 = 0,
    reading: TimeReading = TimeReading()
  ) {
    self.reading = reading
    patterns = reading.pattern?.split
    self.unit = unit
    self.zero = zero
    self.name = name
    self.pointBits = pointBits
    power = unit.power
  }

  /// Whether times without a zone are those of a zone that was given.
  var isOfZone: Bool { reading.zone != nil }

  /// Begins to report assumptions.
  func begin(_ warn: @escaping (String) -> Void) {
    self.warn = warn
    (isRounding, isWithoutZone, isWithoutTimeOfDay) = (false, false, false)
    (isTwice, isNever, timeOfDay, days, last) = (false, false, .min, 0, .min)
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
    if unit == .iso8601 { return try civil(text) }
    guard let time = RoundedTime(text, power: power, since: zero, pointBits: pointBits) else { throw fault(text) }
    if time.isRounded { sayRounded() }
    return time.nanoseconds
  }

  /// A date with its time, or a time of the date that was given.
  private func civil(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Int64 {
    let (pattern, date) = (reading.pattern, reading.date)
    hasZone = false
    if reading.isElapsed {
      return try said(text) { (text) throws(CivilTime.Fault) in try CivilTime(elapsed: text) }
    }
    guard let date, !(pattern?.hasDate ?? false) else {
      let time = try said(text) { (text) throws(CivilTime.Fault) in
        guard let pattern else { return try CivilTime(text) }
        guard pattern.hasDate else { throw .noDate }
        return try pattern.time(text)
      }
      return try joined(time)
    }
    let time = try said(text) { (text) throws(CivilTime.Fault) in
      if let pattern { return try pattern.time(text) }
      return try CivilTime(timeOfDay: text)
    }
    // Midnight has passed if the time goes back by more than half a day.
    if time < timeOfDay, timeOfDay - time > 43_200_000_000_000 { days += 1 }
    timeOfDay = time
    let day = days.multipliedReportingOverflow(by: 86_400_000_000_000)
    let sum = date.addingReportingOverflow(day.partialValue)
    let whole = sum.partialValue.addingReportingOverflow(time)
    guard !day.overflow, !sum.overflow, !whole.overflow else {
      throw Fault(cause: "\(shown(text)) \(CivilTime.Fault.tooFar.cause)")
    }
    return try joined(whole.partialValue)
  }

  /// The midnight of the date in a cell, or the time since midnight.
  func part(_ role: CellRole, _ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> Int64 {
    let pattern = role == .date ? patterns?.date : patterns?.time
    if reading.pattern != nil, pattern == nil {
      throw Fault(cause: "date and time are in two columns", remedy: "give --time-format with the date before the time")
    }
    return try said(text) { (text) throws(CivilTime.Fault) in
      if let pattern { return try pattern.time(text) }
      return try role == .date ? CivilTime(date: text) : CivilTime(timeOfDay: text)
    }
  }

  /// The time of a row whose parts are added: in the zone that was given, unless a part has a zone.
  func joined(_ time: Int64) throws(Fault) -> Int64 {
    defer { hasZone = false }
    guard let zone = reading.zone, !hasZone else { return time }
    let (seconds, rest) = (
      time.quotient(roundedDownBy: 1_000_000_000), time - time.quotient(roundedDownBy: 1_000_000_000) * 1_000_000_000
    )
    var found: Int64
    switch zone.meaning(of: seconds) {
    case .once(let time): found = time
    case .twice(let first, let second):
      found = first
      // The first of both hours, until the times go back.
      if let whole = Self.nanoseconds(first, rest), last > whole { found = second }
      sayTwice(zone)
    case .never(let time):
      found = time
      sayNever(zone)
    }
    guard let whole = Self.nanoseconds(found, rest) else {
      throw Fault(cause: "the time \(CivilTime.Fault.tooFar.cause)")
    }
    last = whole
    return whole
  }

  private static func nanoseconds(_ seconds: Int64, _ rest: Int64) -> Int64? {
    let (product, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = product.addingReportingOverflow(rest)
    return isTooFar || overflow ? nil : sum
  }

  private func said(
    _ text: UnsafeBufferPointer<UInt8>,
    _ parse: (UnsafeBufferPointer<UInt8>) throws(CivilTime.Fault) -> CivilTime
  ) throws(Fault) -> Int64 {
    do throws(CivilTime.Fault) {
      let time = try parse(text)
      if time.isRounded { sayRounded() }
      if !time.hasZone, reading.zone == nil { sayZone() }
      hasZone = hasZone || time.isOfZone
      if !time.hasTimeOfDay { sayMidnight() }
      return time.nanoseconds
    } catch {
      throw Fault(cause: "\(shown(text)) \(error.cause)", remedy: remedy(error, text))
    }
  }

  private func remedy(_ fault: CivilTime.Fault, _ text: UnsafeBufferPointer<UInt8>) -> String? {
    if fault == .noTime, DecimalText(text, pointBits: pointBits) != nil { return "give --time-unit s, ms, us or ns" }
    if fault == .ambiguousDate {
      let usual = ["%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M:%S"]
      let formats = TimeFormats([String(decoding: text, as: UTF8.self)])?.formats ?? usual
      return "say which with --time-format \(formats.map { "'\($0)'" }.joined(separator: " or "))"
    }
    if fault == .noDate { return "give its date, such as --date 2024-03-14, or name another column with --time-column" }
    if fault == .noTime, reading.pattern == nil {
      return "if it is one, give --time-format, such as '%d.%m.%Y %H:%M:%S'"
    }
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

  private func sayTwice(_ zone: ZoneFile) {
    if isTwice { return }
    isTwice = true
    warn(
      "\(name): clocks of \(zone.name) were set back, so that an hour occurs twice; its times are of the first one, until times go back"
    )
  }

  private func sayNever(_ zone: ZoneFile) {
    if isNever { return }
    isNever = true
    warn(
      "\(name): it has times that clocks of \(zone.name) did not show, because they were set forward; they are read as if they had not been set"
    )
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
