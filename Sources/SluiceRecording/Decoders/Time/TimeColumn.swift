import SluiceReadings

/// The time column of a trace and its unit, from the user, or else detected from the names and the first rows.
struct TimeColumn {
  var index: Int
  /// The column of the date, if the time column has only the time of day.
  var date: Int?
  var unit: TraceFormat.Unit
  /// Whether its times are durations, such as `30:00:00`.
  var isElapsed = false
  /// The message about the detected column.
  var notice: String?
  /// The message about rows that all have one time.
  var sameTime: String?

  /// The word for a named part of a trace, for messages.
  enum Part: String {
    /// A column of CSV.
    case column
    /// A member of a JSON object.
    case member
  }

  /// - Parameters:
  ///   - sample: The first rows that can be read without waiting.
  ///   - name: The name of the trace in errors.
  ///   - part: The part of the trace to which the names belong.
  init(
    _ names: [String], _ format: TraceFormat, sample: [[String]], of name: String, _ part: Part = .column
  ) throws(SluiceError) {
    let columns: [Int]
    if let wanted = format.timeColumn, let both = Self.pair(wanted, names) {
      date = try Self.index(of: both.date, in: names, name, part)
      (index, unit) = (try Self.index(of: both.time, in: names, name, part), .iso8601)
      return
    }
    if let wanted = format.timeColumn {
      columns = [try Self.index(of: wanted, in: names, name, part)]
    } else {
      columns = TimeNames.candidates(names)
      try Self.checkNames(names, columns, name, part)
    }
    var undecided: SluiceError?
    for column in columns {
      if let date = Self.date(beside: column, names, sample) {
        (index, self.date, unit) = (column, date, .iso8601)
        notice = format.timeUnit == nil ? said(names, format, of: name, part) : nil
        return
      }
      if format.timeUnit == nil, format.timeFormat == nil, format.date == nil,
        Self.isElapsed(names[column], sample.cells(column))
      {
        (index, unit, isElapsed) = (column, .iso8601, true)
        notice =
          "\(name): the time is \(Self.title(column, of: names, part))\(part == .column ? "," : "") in hours, minutes and seconds since the beginning; if they are of a day, give --date"
        return
      }
      let isGuess =
        format.timeColumn == nil && TimeNames.isShort(names[column]) && TimeNames.unit(in: names[column]) == nil
      // An earlier column may be the time, but its form is not known. So nothing is guessed.
      if isGuess, undecided != nil { break }
      var fault = Self.missingTimeOfDay(column, names, sample, format, part)
      if fault == nil, isGuess { fault = Self.rival(column, names, sample, part) }
      if fault == nil {
        switch Self.unit(names[column], sample.cells(column), format, part) {
        case .known(let unit):
          (index, self.unit) = (column, unit)
          let isFormGiven = format.timeUnit != nil || format.timeFormat != nil
          notice = !isFormGiven || format.timeColumn == nil ? said(names, format, of: name, part) : nil
          sameTime = Self.sameTime(column, sample, of: name)
          return
        case .unknown(let cause, let remedy): fault = (cause, remedy)
        }
      }
      guard let fault, undecided == nil else { continue }
      undecided = SluiceError(
        .malformed, "read", name, because: "\(Self.title(column, of: names, part)): \(fault.cause)",
        remedy: fault.remedy)
    }
    throw undecided ?? Self.noColumn(names, name, part)
  }

  /// The fault of numbers under a name such as `t`, which may be a temperature, if other columns have dates.
  private static func rival(
    _ column: Int, _ names: [String], _ sample: [[String]], _ part: Part
  ) -> (cause: String, remedy: String)? {
    let sample = Array(sample.prefix(20))
    // The digits of a time since 1970 are no temperature.
    guard TimeNames.plain(names[column]).name == "t", let own = sample.first(column).flatMap(DecimalText.init),
      ![10, 13, 16, 19].contains(own.wholeDigits)
    else { return nil }
    let other = names.indices.first { other in
      let cells = sample.cells(other)
      guard other != column, Set(cells).count > min(1, sample.count - 1) else { return false }
      if cells.contains(where: { DecimalText($0) != nil }) { return !DigitDates.fitting(cells).isEmpty }
      return TimeFormats(cells).map { $0.content != .timeOfDay } ?? false
    }
    guard let other = other ?? names.firstIndex(where: TimeNames.isYear) else { return nil }
    return (
      "it may be a temperature, because \(title(other, of: names, part))\(part == .column ? "," : "") has dates or years",
      "name the column of the time with --time-column"
    )
  }

  /// The time column of a recording, which has its unit in its name.
  init(index: Int, unit: TraceFormat.Unit) { (self.index, self.unit) = (index, unit) }

  // MARK: Column

  /// The names of the date and of the time of day in `Datum,Uhrzeit`; nil if it is the name of one column.
  private static func pair(_ wanted: String, _ names: [String]) -> (date: String, time: String)? {
    guard NamedColumn(wanted, in: names) == .none else { return nil }
    let parts = wanted.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && !parts.contains("") ? (parts[0], parts[1]) : nil
  }

  /// - Parameter wanted: A name, or a number from 1.
  private static func index(
    of wanted: String, in names: [String], _ name: String, _ part: Part
  ) throws(SluiceError) -> Int {
    let fault: (cause: String, remedy: String)
    switch NamedColumn(wanted, in: names) {
    case .one(let index): return index
    case .none:
      fault = (
        "it has no \(part.rawValue) \(shown(wanted))",
        "give --time-column with one of its \(part.rawValue)s: \(list(names))"
      )
    // The header refuses a second column with the name of the time.
    case .several(let found): return found[0]
    case .nameOrNumber(_, let number):
      fault = NamedColumn.nameOrNumber(wanted, number, in: names, option: "--time-column", part)
    }
    throw SluiceError(.malformed, "read", name, because: fault.cause, remedy: fault.remedy)
  }

  /// Refuses two columns with the same name, because the user may mean either.
  private static func checkNames(
    _ names: [String], _ columns: [Int], _ name: String, _ part: Part
  ) throws(SluiceError) {
    for (number, column) in columns.enumerated() {
      let plain = TimeNames.plain(names[column]).name
      guard let other = columns[..<number].first(where: { TimeNames.plain(names[$0]).name == plain }) else { continue }
      let isSame = names[other] == names[column]
      throw SluiceError(
        .malformed, "read", name,
        because: isSame
          ? "it has two \(part.rawValue)s \(shown(names[column]))"
          : "it has two time \(part.rawValue)s, \(shown(names[other])) and \(shown(names[column]))",
        remedy: "name one with --time-column\(isSame ? " and its number" : "")")
    }
  }

  private static func noColumn(_ names: [String], _ name: String, _ part: Part) -> SluiceError {
    let areNumbers = names.allSatisfy { $0.isEmpty || DecimalText($0) != nil } && names.contains { !$0.isEmpty }
    if part == .column, areNumbers || names.contains(where: isTimeText) {
      return SluiceError(
        .malformed, "read", name,
        because: "its first row has \(areNumbers ? "numbers" : "values") and no column names",
        remedy:
          "give a name for each column, such as --column-names time_s,a,b, or --time-column with the number of the "
          + "time; if its rows have no times, give --period 10ms, for example")
    }
    if part == .column, names.count == 1 {
      return SluiceError(
        .malformed, "read", name, because: "its header \(shown(names[0])) has no comma, semicolon or tab",
        remedy: "separate its columns with one of these, or name the time column with --time-column")
    }
    return SluiceError(
      .malformed, "read", name, because: "none of its \(part.rawValue)s has the name of a time \(part.rawValue)",
      remedy: "give --time-column with one of its \(part.rawValue)s: \(list(names))"
        + (part == .column ? "; if its rows have no times, give --period 10ms, for example" : ""))
  }

  static func title(_ index: Int, of names: [String], _ part: Part) -> String {
    part == .column ? "column \(index + 1), \(shown(names[index]))" : "member \(shown(names[index]))"
  }

  static func list(_ names: [String]) -> String {
    let shown = names.prefix(64).map { Self.shown($0) }.joined(separator: ", ")
    return names.count > 64 ? "\(shown) and \(names.count - 64) more" : shown
  }

  /// A name or a cell in an error.
  static func shown(_ text: String) -> String {
    Array(text.utf8).withUnsafeBufferPointer { SluiceRecording.shown($0) }
  }

  // MARK: Unit

  private enum Unit {
    case known(TraceFormat.Unit)
    case unknown(cause: String, remedy: String)
  }

  /// - Parameter cells: The first times.
  private static func unit(_ name: String, _ cells: [String], _ format: TraceFormat, _ part: Part) -> Unit {
    if let unit = format.timeUnit { return .known(unit) }
    if format.timeFormat != nil { return .known(.iso8601) }
    // `rostopic echo -p` writes nanoseconds, however small the numbers of a simulation are.
    let isROS = name == "%time" && cells.allSatisfy { DecimalText($0).map { !$0.hasPoint } ?? false }
    let said = isROS ? .nanoseconds : TimeNames.unit(in: name)
    guard let first = cells.first else {
      // Without rows, the unit has no effect.
      return .known(said ?? .nanoseconds)
    }
    guard let text = DecimalText(first) else {
      switch civil(first) {
      case .failure(.noDate) where format.date != nil: return .known(.iso8601)
      // The first row reports the fault.
      case .success, .failure(.leapSecond), .failure(.tooFar), .failure(.ambiguousDate): return .known(.iso8601)
      case .failure(.noDate) where mayBeDuration(name, cells):
        return .unknown(
          cause: "its times, such as \(shown(first)), may be minutes and seconds, or hours and minutes",
          remedy: remedyOfDuration(cells))
      case .failure(let fault):
        let place = part == .column ? "cell" : "value"
        return .unknown(
          cause: "its first \(place) \(shown(first)) \(fault == .noDate ? fault.cause : "is not a time")",
          remedy: fault == .noDate
            ? "give its date, such as --date 2024-03-14, or name another column with --time-column"
            : "name another with --time-column, or say how it is written with --time-format '%d.%m.%Y %H:%M:%S'")
      }
    }
    if let long = TimeNames.longUnit(in: name) {
      return .unknown(
        cause: "sluice does not read times in \(shown(long))",
        remedy: "write them in seconds, and give --time-unit s")
    }
    if let said { return .known(said) }
    if TimeNames.isDayNumber(name) {
      return .unknown(
        cause: "sluice does not read times that are numbers of days",
        remedy: "write them as dates, or in seconds with --time-unit s")
    }
    if let format = DigitDates.fitting(cells).first {
      let example = "its times, such as \(shown(first)), may be"
      // Seconds before 2030 do not look like dates.
      if text.wholeDigits == 10, first >= "19" {
        return .unknown(
          cause: "\(example) dates of digits alone, or seconds since 1970",
          remedy: "give --time-format '\(format)', or --time-unit s")
      }
      if text.wholeDigits != 10 {
        return .unknown(
          cause: "\(example) dates of digits alone, or numbers",
          remedy: "give --time-format '\(format)', or --time-unit s, ms, us or ns if they are numbers")
      }
    }
    if isClock(cells) {
      let fraction = text.hasPoint ? (first.contains(",") ? ",%f" : ".%f") : ""
      return .unknown(
        cause: "its times, such as \(shown(first)), may be hours, minutes and seconds, or seconds alone",
        remedy: "give --date 2024-03-14 --time-format '%H%M%S\(fraction)', or --time-unit s")
    }
    if mayBeDays(cells, name) {
      return .unknown(
        cause:
          "its times may be seconds or days of a spreadsheet: as days, \(shown(first)) is a date between 2000 and 2064",
        remedy: "if they are seconds, give --time-unit s; if they are days, let the spreadsheet write dates and times")
    }
    switch text.wholeDigits {
    case 10: return .known(.seconds)
    case 13: return .known(.milliseconds)
    case 16: return .known(.microseconds)
    case 19: return .known(.nanoseconds)
    default:
      if text.hasPoint { return .known(.seconds) }
      return .unknown(
        cause: "the unit of its times is not known, and the first time is \(shown(first))",
        remedy: "give --time-unit s, ms, us or ns")
    }
  }

  /// Whether numbers may be dates of a spreadsheet: days since 1899-12-30. With five decimals or more, such dates are whole
  /// seconds, or multiples of ten seconds if their decimals do not show single seconds.
  private static func mayBeDays(_ texts: [String], _ name: String) -> Bool {
    let plain = TimeNames.plain(name).name
    let isCounted = ["uptime", "elapsed", "runtime", "millis", "seconds"].contains { plain.contains($0) }
    let decimals = texts.map { max(0, $0.drop { $0 != "." && $0 != "," }.count - 1) }.max() ?? 0
    guard !isCounted, decimals > 0 else { return false }
    let hasSteps = decimals > 4 && !TimeNames.isDate(name)
    return texts.allSatisfy { text in
      guard let days = Double(text.replacing(",", with: ".")), (36_526..<60_000).contains(days) else { return false }
      // The sixth decimal of a day is about a tenth of a second.
      let steps = (days - days.rounded(.down)) * (decimals > 6 ? 86_400 : 8_640)
      return !hasSteps || abs(steps - steps.rounded()) < 0.02
    }
  }

  /// Whether six digits may be hours, minutes and seconds.
  static func hasClockDigits(_ text: String) -> Bool {
    let digits = text.prefix { $0.isNumber }
    guard digits.count == 6, let number = Int(digits) else { return false }
    return number / 10_000 < 24 && number / 100 % 100 < 60 && number % 100 < 60
  }

  /// Whether numbers are hours, minutes and seconds without signs between them, as in `140059.80`: none has 60 seconds
  /// or more, and where a minute ends, the times of day go on with the steps of the rows before, and the numbers do not.
  private static func isClock(_ texts: [String]) -> Bool {
    guard texts.count > 2, texts.allSatisfy(hasClockDigits) else { return false }
    let numbers = texts.compactMap { Double($0.replacing(",", with: ".")) }
    guard numbers.count == texts.count, numbers.allSatisfy({ $0 < 240_000 }) else { return false }
    func seconds(_ number: Double) -> Double {
      let minute = Int(number) / 100
      let minutes = minute / 100 * 60 + minute % 100
      return number - Double(minute * 100) + Double(minutes * 60)
    }
    // The steps within a minute, and those into the next one: of the numbers, and of the times of day.
    var steps: [Double] = []
    var carries: [(number: Double, time: Double)] = []
    for (first, second) in zip(numbers, numbers.dropFirst()) {
      if Int(first) / 100 == Int(second) / 100 {
        steps.append(second - first)
      } else {
        carries.append((second - first, seconds(second) - seconds(first)))
      }
    }
    steps.sort()
    guard let least = steps.first, least >= 0 else { return false }
    let usual = steps[steps.count / 2]
    let longest = min(20, 2 * usual + 1e-6)
    return carries.contains { number, time in
      guard time > 0, time <= longest, number - time > 39 else { return false }
      return abs(time - usual) < abs(number - usual)
    }
  }

  private static let namesOfDurations = ["elapsed", "duration", "uptime", "runtime"]

  /// Whether times of day may be durations of two parts, such as `25:30`.
  private static func mayBeDuration(_ name: String, _ texts: [String]) -> Bool {
    let isNamed = namesOfDurations.contains { TimeNames.plain(name).name.contains($0) }
    let parts = texts.map { $0.split(separator: ":", omittingEmptySubsequences: false) }
    guard parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) } }) else {
      return false
    }
    return isNamed || parts.contains { (Int($0[0]) ?? 0) > 23 }
  }

  /// What helps for durations of two parts.
  private static func remedyOfDuration(_ cells: [String]) -> String {
    let most = cells.compactMap { Int($0.prefix { $0 != ":" }) }.max() ?? 0
    let other = "write them in seconds, and give --time-unit s"
    if most > 59 { return other }
    return "give --date 2024-03-14 --time-format '%M:%S'" + (most > 23 ? "; or " + other : ", or '%H:%M'")
  }

  /// Whether texts are durations: the name says so, or one is longer than a day.
  private static func isElapsed(_ name: String, _ texts: [String]) -> Bool {
    let isNamed = namesOfDurations.contains { TimeNames.plain(name).name.contains($0) }
    guard let first = texts.first, first.contains(":"),
      first.utf8.allSatisfy({ $0 &- 0x30 < 10 || ":.,".utf8.contains($0) })
    else { return false }
    func hours(_ text: String) -> Int { Int(text.prefix { $0.isNumber }) ?? 0 }
    guard isNamed || texts.contains(where: { hours($0) > 23 }) else { return false }
    return texts.allSatisfy { text in
      Array(text.utf8).withUnsafeBufferPointer { (try? CivilTime(elapsed: $0)) != nil }
    }
  }

  static func isTime(_ text: String) -> Bool {
    if case .success = civil(text) { return true }
    return false
  }

  /// Whether a text is a time, a date or a time of day, as far as this can be seen.
  static func isTimeText(_ text: String) -> Bool {
    switch civil(text) {
    case .success, .failure(.ambiguousDate), .failure(.leapSecond), .failure(.tooFar): true
    case .failure(.noDate):
      Array(text.utf8).withUnsafeBufferPointer { (try? CivilTime(timeOfDay: $0)) != nil }
    case .failure(.noTime): false
    }
  }

  static func isDate(_ text: String) -> Bool {
    if case .failure(.noTime) = civil(text) { return false }
    return true
  }

  static func civil(_ text: String) -> Result<CivilTime, CivilTime.Fault> {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      Result { () throws(CivilTime.Fault) in try CivilTime(bytes) }
    }
  }

  // MARK: Messages

  private func said(_ names: [String], _ format: TraceFormat, of name: String, _ part: Part) -> String {
    let words =
      switch unit {
      case .seconds: "seconds"
      case .milliseconds: "milliseconds"
      case .microseconds: "microseconds"
      case .nanoseconds: "nanoseconds"
      case .iso8601: "ISO 8601"
      }
    var column = Self.title(index, of: names, part)
    switch (date, part) {
    case (nil, .column): column += ","
    case (nil, .member): break
    case (let date?, .column):
      column = "columns \(date + 1) and \(index + 1), \(Self.shown(names[date])) and \(Self.shown(names[index])),"
    case (let date?, .member): column = "members \(Self.shown(names[date])) and \(Self.shown(names[index]))"
    }
    var options: [String] = []
    if format.timeColumn == nil { options.append("--time-column") }
    if format.timeUnit == nil, format.timeFormat == nil { options.append("--time-unit") }
    let form = format.timeFormat == nil ? words : "the form of --time-format"
    return "\(name): the time is \(column) in \(form); if not, give \(options.joined(separator: " and "))"
  }
}

extension DecimalText {
  /// Handles a decimal comma as a point.
  init?(_ text: String) {
    var text = text
    guard let number = text.withUTF8({ DecimalText($0, pointBits: 0x02) }) else { return nil }
    self = number
  }
}
