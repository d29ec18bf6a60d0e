/// Date and time as text: ISO 8601, and dates such as `2024/03/01` and `01.03.2024`.
///
/// A day has 86,400 seconds, as in every Unix time; a leap second is refused.
struct CivilTime: Equatable {
  /// Nanoseconds since the epoch, or since midnight.
  var nanoseconds: Int64
  /// Whether the text was finer than a nanosecond.
  var isRounded = false
  /// Whether the text has a zone. Without one it is read as UTC.
  var hasZone = true
  /// Whether a zone is in the text itself, and not only assumed for a part of a time.
  var isOfZone = false
  /// False for a date alone, which means midnight.
  var hasTimeOfDay = true

  /// The reason why a text is not a time.
  enum Fault: Error {
    case noTime, ambiguousDate, noDate, leapSecond, tooFar

    /// The end of a sentence that begins with the text.
    var cause: String {
      switch self {
      case .noTime: "is not a date with a time, such as 2024-03-01T12:00:00Z"
      case .ambiguousDate: "may have the day or the month first"
      case .noDate: "is a time of day without a date"
      case .leapSecond: "is a leap second, which has no time since the epoch"
      case .tooFar: "is not within the years 1678 to 2261, for which nanoseconds in 64 bits are enough"
      }
    }
  }

  /// Parses `2024-03-01T12:00:00.5+01:00`, with a `T` or a space between date and time. A date alone means midnight.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    var text = CivilText(bytes)
    if text.isTimeOfDay { throw .noDate }
    let days = try text.days()
    var time = CivilTime(nanoseconds: 0, hasZone: false)
    time.hasTimeOfDay = false
    if !text.isAtEnd {
      guard text.take(UInt8(ascii: "T")) || text.take(UInt8(ascii: "t")) || text.takeSpaces() else { throw .noTime }
      time = try text.timeOfDay()
    }
    guard text.isAtEnd else { throw .noTime }
    self = time
    nanoseconds = try Self.sum(days, time.nanoseconds)
  }

  /// Parses a date alone.
  init(date bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    var text = CivilText(bytes)
    self.init(nanoseconds: try Self.sum(text.days(), 0))
    guard text.isAtEnd else { throw .noTime }
  }

  /// Parses a time of day alone. With a zone, the result may be on the day before or after.
  init(timeOfDay bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    var text = CivilText(bytes)
    self = try text.timeOfDay()
    guard text.isAtEnd else { throw .noTime }
  }

  /// Parses a duration: `30:00:00.5`. In one of two parts, such as `00:05`, nobody knows what these are.
  init(elapsed bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    guard bytes.reduce(0, { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) }) > 1 else { throw .noTime }
    var text = CivilText(bytes)
    self = try text.timeOfDay(hours: 1...6, below: 1_000_000)
    // It has no zone, and needs none.
    hasZone = true
    guard text.isAtEnd, !isOfZone else { throw .noTime }
  }

  init(nanoseconds: Int64, isRounded: Bool = false, hasZone: Bool = true) {
    (self.nanoseconds, self.isRounded, self.hasZone) = (nanoseconds, isRounded, hasZone)
  }

  /// Nanoseconds from the epoch. Midnight of the first day that fits does not fit itself.
  private static func sum(_ days: Int64, _ time: Int64) throws(Fault) -> Int64 {
    guard let sum = Int64(exactly: Int128(days) * 86_400_000_000_000 + Int128(time)) else { throw .tooFar }
    return sum
  }

  /// Days from the epoch to a day of the Gregorian calendar.
  static func days(_ year: Int64, _ month: Int64, _ day: Int64) throws(Fault) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    guard (1...12).contains(month), day >= 1,
      day <= (month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31)
    else { throw .noTime }
    return CivilDate(year: year, month: month, day: day).daysSinceEpoch
  }
}

/// Parses the text of a date and a time.
private struct CivilText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }
  private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

  var isTimeOfDay: Bool {
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0
    return (1...2).contains(colon) && bytes[..<colon].allSatisfy { $0 &- 0x30 < 10 }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  mutating func takeSpaces() -> Bool {
    let start = index
    while take(UInt8(ascii: " ")) {}
    return index > start
  }

  /// Parses a number with this many digits.
  private mutating func number(_ digits: ClosedRange<Int>) throws(CivilTime.Fault) -> (value: Int64, digits: Int) {
    var value: Int64 = 0
    var count = 0
    while count < digits.upperBound, next &- 0x30 < 10 {
      value = value * 10 + Int64(next &- 0x30)
      index += 1
      count += 1
    }
    guard digits.contains(count), next &- 0x30 >= 10 else { throw .noTime }
    return (value, count)
  }

  mutating func days() throws(CivilTime.Fault) -> Int64 {
    let first = try number(1...4)
    let separator = next
    let separators = [UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ".")]
    guard separators.contains(separator), first.digits != 3, take(separator) else { throw .noTime }
    let month = try number(1...2).value
    guard take(separator) else { throw .noTime }
    if first.digits == 4 { return try CivilTime.days(first.value, month, number(1...2).value) }
    let year = try number(4...4).value
    guard separator == UInt8(ascii: ".") else { throw .ambiguousDate }
    return try CivilTime.days(year, month, first.value)
  }

  mutating func timeOfDay(
    hours: ClosedRange<Int> = 1...2, below limit: Int64 = 24
  ) throws(CivilTime.Fault) -> CivilTime {
    let hour = try number(hours).value
    guard take(UInt8(ascii: ":")), hour < limit else { throw .noTime }
    let minute = try number(1...2)
    // Some programs write `9:5:3`. Without seconds, `16:9` is no time.
    guard minute.value < 60, minute.digits == 2 || next == UInt8(ascii: ":") else { throw .noTime }
    var second: Int64 = 0
    var fraction: (nanoseconds: Int64, isRounded: Bool) = (0, false)
    if take(UInt8(ascii: ":")) {
      second = try number(1...2).value
      if second == 60 { throw .leapSecond }
      guard second < 60 else { throw .noTime }
      // A colon before milliseconds, as phones write it: `14:00:00:250`.
      if take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) || take(UInt8(ascii: ":")) {
        fraction = try self.fraction()
      }
    }
    let (offset, hasZone) = try zone()
    let seconds = hour * 3_600 + minute.value * 60 + second - offset
    var time = CivilTime(
      nanoseconds: seconds * 1_000_000_000 + fraction.nanoseconds, isRounded: fraction.isRounded, hasZone: hasZone)
    time.isOfZone = hasZone
    return time
  }

  private mutating func fraction() throws(CivilTime.Fault) -> (nanoseconds: Int64, isRounded: Bool) {
    var nanoseconds: Int64 = 0
    var place: Int64 = 100_000_000
    var isRounded = false
    var count = 0
    while next &- 0x30 < 10 {
      let digit = Int64(next &- 0x30)
      nanoseconds += digit * place
      if place == 0 {
        if count == 9, digit >= 5 { nanoseconds += 1 }
        isRounded = isRounded || digit != 0
      }
      place /= 10
      count += 1
      index += 1
    }
    guard count > 0 else { throw .noTime }
    return (nanoseconds, isRounded)
  }

  /// Parses a zone and returns its seconds ahead of UTC: `Z`, `+01:00`, `+0100`, `+01`. A space may come before it.
  private mutating func zone() throws(CivilTime.Fault) -> (offset: Int64, isThere: Bool) {
    _ = takeSpaces()
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return (0, true) }
    if bytes[index...].elementsEqual("UTC".utf8) {
      index = bytes.count
      return (0, true)
    }
    let isBehind = next == UInt8(ascii: "-")
    guard take(UInt8(ascii: "+")) || take(UInt8(ascii: "-")) else { return (0, false) }
    let first = try number(2...4)
    guard first.digits != 3 else { throw .noTime }
    var (hours, minutes) = first.digits == 4 ? (first.value / 100, first.value % 100) : (first.value, 0)
    if first.digits == 2, take(UInt8(ascii: ":")) { minutes = try number(2...2).value }
    guard hours < 24, minutes < 60 else { throw .noTime }
    if isBehind { (hours, minutes) = (-hours, -minutes) }
    return (hours * 3_600 + minutes * 60, true)
  }
}
