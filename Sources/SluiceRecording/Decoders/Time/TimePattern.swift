import SluiceReadings

/// How the text of a time is written: the letters of `strptime`, such as `%d.%m.%Y %H:%M:%S`.
///
/// Months are numbers or their English names. `%f` is a fraction of a second with any number of digits.
struct TimePattern: Equatable, Sendable {
  private enum Part: Equatable {
    case year, shortYear, month, monthName, day, hour, hourOfHalf, half, minute, second, fraction, dayOfYear, zone
    case epochSeconds, spaces
    case byte(UInt8)

    var isOfDate: Bool {
      switch self {
      case .year, .shortYear, .month, .monthName, .day, .dayOfYear, .epochSeconds: true
      default: false
      }
    }

    var isOfTime: Bool {
      switch self {
      case .hour, .hourOfHalf, .half, .minute, .second, .fraction, .zone, .epochSeconds: true
      default: false
      }
    }
  }

  /// The reason why a text is not a pattern.
  struct Fault: Error {
    let cause: String
  }

  let text: String
  private let parts: [Part]

  private static let letters: [Character: [Part]] = [
    "Y": [.year], "y": [.shortYear], "m": [.month], "b": [.monthName], "B": [.monthName], "h": [.monthName],
    "d": [.day], "e": [.day], "j": [.dayOfYear], "H": [.hour], "I": [.hourOfHalf], "p": [.half], "M": [.minute],
    "S": [.second], "f": [.fraction], "z": [.zone], "s": [.epochSeconds], "%": [.byte(0x25)],
    "F": [.year, .byte(0x2d), .month, .byte(0x2d), .day], "T": [.hour, .byte(0x3a), .minute, .byte(0x3a), .second],
    "D": [.month, .byte(0x2f), .day, .byte(0x2f), .shortYear], "R": [.hour, .byte(0x3a), .minute],
    "n": [.spaces], "t": [.spaces],
  ]

  init(_ text: String) throws(Fault) {
    var parts: [Part] = []
    var characters = text[...]
    while let character = characters.popFirst() {
      if character == " " {
        if parts.last != .spaces { parts.append(.spaces) }
      } else if character == "%" {
        guard let letter = characters.popFirst() else { throw Fault(cause: "ends in a %") }
        guard let part = Self.letters[letter] else {
          throw Fault(
            cause: "has %\(letter), which is not known; known are %Y %y %m %b %d %j %H %I %p %M %S %f %z %s %F %T %D %R"
          )
        }
        parts += part
      } else {
        parts += String(character).utf8.map { .byte($0) }
      }
    }
    guard parts.contains(where: { $0.isOfDate || $0.isOfTime }) else {
      throw Fault(cause: "has no part of a time, such as %H")
    }
    (self.text, self.parts) = (text, parts)
  }

  private init(_ parts: [Part], of text: String) { (self.parts, self.text) = (parts, text) }

  var hasDate: Bool { parts.contains(where: \.isOfDate) }
  var hasTimeOfDay: Bool { parts.contains(where: \.isOfTime) }

  /// The patterns of a date and of a time of day in two columns; nil if a part of one is among those of the other.
  var split: (date: TimePattern, time: TimePattern)? {
    guard let first = parts.firstIndex(where: \.isOfTime), let last = parts.lastIndex(where: \.isOfDate), last < first
    else { return nil }
    let space = parts[last..<first].firstIndex(of: .spaces) ?? first
    let time = parts[space...].drop { $0 == .spaces }
    return (TimePattern(Array(parts[..<space]), of: text), TimePattern(Array(time), of: text))
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  private static let longMonths = [
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
  ]

  /// The fields of a text.
  private struct Fields {
    var year: Int64 = 1970
    var month: Int64 = 1
    var day: Int64 = 1
    var dayOfYear: Int64?
    var hour: Int64 = 0
    var isAfternoon: Bool?
    var minute: Int64 = 0
    var second: Int64 = 0
    var nanoseconds: Int64 = 0
    var isRounded = false
    var offset: Int64?
    var epoch: Int64?
  }

  /// Parses a text. A pattern without a date gives the time since midnight.
  func time(_ bytes: UnsafeBufferPointer<UInt8>) throws(CivilTime.Fault) -> CivilTime {
    var text = TimeCursor(bytes)
    var fields = Fields()
    for (index, part) in parts.enumerated() {
      // Digits of the next part end a number: `%H%M%S`.
      let isTight = index + 1 < parts.count && Self.isDigits(parts[index + 1])
      try read(part, isTight: isTight, &text, &fields)
    }
    guard text.isAtEnd else { throw .noTime }
    return try civil(fields)
  }

  private static func isDigits(_ part: Part) -> Bool {
    switch part {
    case .byte, .spaces, .half, .monthName, .zone: false
    default: true
    }
  }

  private func read(
    _ part: Part, isTight: Bool, _ text: inout TimeCursor, _ fields: inout Fields
  ) throws(CivilTime.Fault) {
    func two(_ limit: ClosedRange<Int64>) throws(CivilTime.Fault) -> Int64 {
      let value = try text.number(isTight ? 2...2 : 1...2).value
      guard limit.contains(value) else { throw .noTime }
      return value
    }
    switch part {
    case .year: fields.year = try text.number(4...4).value
    case .shortYear:
      let year = try text.number(2...2).value
      fields.year = year < 69 ? 2_000 + year : 1_900 + year
    case .month: fields.month = try two(1...12)
    case .day:
      text.takeSpaces()
      fields.day = try two(1...31)
    case .dayOfYear: fields.dayOfYear = try text.number(isTight ? 3...3 : 1...3).value
    case .hour: fields.hour = try two(0...24)
    case .hourOfHalf: fields.hour = try two(1...12) % 12
    case .minute: fields.minute = try two(0...59)
    case .second:
      let second = try two(0...60)
      if second == 60 { throw .leapSecond }
      fields.second = second
    case .fraction: (fields.nanoseconds, fields.isRounded) = try text.fraction()
    case .half:
      guard let isAfternoon = text.half() else { throw .noTime }
      fields.isAfternoon = isAfternoon
    case .monthName:
      let word = text.word()
      guard let month = Self.months.firstIndex(where: { word.hasPrefix($0) }),
        word.count == 3 || word == "sept" || Self.longMonths.contains(word)
      else { throw .noTime }
      fields.month = Int64(month) + 1
    case .zone:
      guard let offset = try text.zone() else { throw .noTime }
      fields.offset = offset
    case .epochSeconds: fields.epoch = try text.number(1...18).value
    case .spaces: text.takeSpaces()
    case .byte(let byte): guard text.take(byte) else { throw .noTime }
    }
  }

  private func civil(_ fields: Fields) throws(CivilTime.Fault) -> CivilTime {
    var hour = fields.hour
    if fields.isAfternoon ?? false { hour += 12 }
    // The end of a day.
    guard hour < 24 || hour == 24 && fields.minute == 0 && fields.second == 0 && fields.nanoseconds == 0 else {
      throw .noTime
    }
    var seconds = Int128(hour * 3_600 + fields.minute * 60 + fields.second - (fields.offset ?? 0))
    if let epoch = fields.epoch {
      seconds = Int128(epoch)
    } else if hasDate {
      let first = try CivilTime.days(
        fields.year, fields.dayOfYear == nil ? fields.month : 1, fields.dayOfYear == nil ? fields.day : 1)
      if let day = fields.dayOfYear {
        let isLeap = fields.year % 4 == 0 && (fields.year % 100 != 0 || fields.year % 400 == 0)
        guard (1...(isLeap ? 366 : 365)).contains(day) else { throw .noTime }
      }
      seconds += Int128(first + (fields.dayOfYear ?? 1) - 1) * 86_400
    }
    guard let nanoseconds = Int64(exactly: seconds * 1_000_000_000 + Int128(fields.nanoseconds)) else { throw .tooFar }
    var time = CivilTime(nanoseconds: nanoseconds, isRounded: fields.isRounded)
    time.isOfZone = fields.offset != nil || fields.epoch != nil
    // A date in a column of its own has no zone, and needs none.
    time.hasZone = time.isOfZone || !hasTimeOfDay
    time.hasTimeOfDay = true
    return time
  }
}
