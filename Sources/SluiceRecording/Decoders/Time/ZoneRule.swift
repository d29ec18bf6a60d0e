import SluiceReadings

/// The rule for times after the last change of a zone file: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, RFC 8536).
struct ZoneRule: Equatable, Sendable {
  private struct Change: Equatable {
    enum Day: Equatable {
      /// The month, the week (5 is the last) and the day of the week from Sunday.
      case month(Int64, week: Int64, day: Int64)
      /// From 1, without 29 February.
      case julian(Int64)
      /// From 0, with 29 February.
      case ordinal(Int64)
    }
    var day: Day
    /// Seconds after midnight, in local time.
    var time: Int64
  }

  private let standard: Int64
  private let summer: Int64
  private let start: Change?
  private let end: Change?

  init?(_ text: String) {
    var reader = RuleText(text)
    guard reader.skipName(), let standard = reader.offset() else { return nil }
    self.standard = -standard
    guard !reader.isAtEnd else {
      (summer, start, end) = (-standard, nil, nil)
      return
    }
    guard reader.skipName() else { return nil }
    summer = reader.isAtComma ? 3_600 - standard : reader.offset().map { -$0 } ?? 3_600 - standard
    guard let start = Self.change(&reader), let end = Self.change(&reader), reader.isAtEnd else { return nil }
    (self.start, self.end) = (start, end)
  }

  private static func change(_ text: inout RuleText) -> Change? {
    guard text.take(",") else { return nil }
    let day: Change.Day
    if text.take("M") {
      guard let month = text.number(), (1...12).contains(month), text.take("."), let week = text.number(),
        (1...5).contains(week), text.take("."), let weekday = text.number(), (0...6).contains(weekday)
      else { return nil }
      day = .month(month, week: week, day: weekday)
    } else if text.take("J") {
      guard let number = text.number(), (1...365).contains(number) else { return nil }
      day = .julian(number)
    } else {
      guard let number = text.number(), (0...365).contains(number) else { return nil }
      day = .ordinal(number)
    }
    guard text.take("/") else { return Change(day: day, time: 7_200) }
    return text.offset().map { Change(day: day, time: $0) }
  }

  /// The offset in seconds at a time in seconds.
  func offset(at time: Int64) -> Int64 {
    guard let start, let end else { return standard }
    let year = CivilDate(daysSinceEpoch: Self.days(time &+ standard)).year
    // The start is a time of standard time, the end one of summer time.
    let from = Self.seconds(start, year) - standard
    let to = Self.seconds(end, year) - summer
    let isSummer = from < to ? time >= from && time < to : time >= from || time < to
    return isSummer ? summer : standard
  }

  private static func days(_ time: Int64) -> Int64 { time >= 0 ? time / 86_400 : -((86_399 - time) / 86_400) }

  /// The local time of a change in seconds.
  private static func seconds(_ change: Change, _ year: Int64) -> Int64 {
    let first = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let day: Int64
    switch change.day {
    case .julian(let number): day = first + number - 1 + (isLeap && number >= 60 ? 1 : 0)
    case .ordinal(let number): day = first + number
    case .month(let month, let week, let weekday):
      let begin = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
      let next =
        month == 12
        ? CivilDate(year: year + 1, month: 1, day: 1).daysSinceEpoch
        : CivilDate(year: year, month: month + 1, day: 1).daysSinceEpoch
      // 1 January 1970 was a Thursday.
      let firstWeekday = (begin % 7 + 4 + 7) % 7
      var found = begin + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      while found >= next { found -= 7 }
      day = found
    }
    return day * 86_400 + change.time
  }
}

/// The text of a rule.
private struct RuleText {
  private var text: Substring

  init(_ text: String) { self.text = text[...] }

  var isAtEnd: Bool { text.isEmpty }
  var isAtComma: Bool { text.first == "," }

  mutating func take(_ character: Character) -> Bool {
    guard text.first == character else { return false }
    text.removeFirst()
    return true
  }

  /// `CET`, or `<+03>`.
  mutating func skipName() -> Bool {
    if take("<") {
      guard let end = text.firstIndex(of: ">") else { return false }
      text = text[text.index(after: end)...]
      return true
    }
    let name = text.prefix { $0.isASCII && $0.isLetter }
    text = text[name.endIndex...]
    return name.count >= 3
  }

  mutating func number() -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    text = text[digits.endIndex...]
    return digits.count <= 4 ? Int64(digits) : nil
  }

  /// Seconds: `3`, `-1`, `+5:30`, `2:00:00`.
  mutating func offset() -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = number(), hours <= 167 else { return nil }
    var seconds = hours * 3_600
    if take(":") {
      guard let minutes = number(), minutes < 60 else { return nil }
      seconds += minutes * 60
      if take(":") {
        guard let rest = number(), rest < 60 else { return nil }
        seconds += rest
      }
    }
    return isNegative ? -seconds : seconds
  }
}
