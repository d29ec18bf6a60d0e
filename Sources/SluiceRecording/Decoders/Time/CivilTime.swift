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
    var text = TimeCursor(bytes)
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0
    if (1...2).contains(colon), bytes[..<colon].allSatisfy({ $0 &- 0x30 < 10 }) { throw .noDate }
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
    var text = TimeCursor(bytes)
    self.init(nanoseconds: try Self.sum(text.days(), 0))
    guard text.isAtEnd else { throw .noTime }
  }

  /// Parses a time of day alone. With a zone, the result may be on the day before or after.
  init(timeOfDay bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    var text = TimeCursor(bytes)
    self = try text.timeOfDay()
    guard text.isAtEnd else { throw .noTime }
  }

  /// Parses a duration: `30:00:00.5`. In one of two parts, such as `00:05`, nobody knows what these are.
  init(elapsed bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    guard bytes.reduce(0, { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) }) > 1 else { throw .noTime }
    var text = TimeCursor(bytes)
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

/// The parts of a date with its time.
extension TimeCursor {
  /// Takes a number that ends behind these digits.
  private mutating func whole(_ digits: ClosedRange<Int>) throws(CivilTime.Fault) -> (value: Int64, digits: Int) {
    let number = try number(digits)
    guard !isAtDigit else { throw .noTime }
    return number
  }

  fileprivate mutating func days() throws(CivilTime.Fault) -> Int64 {
    let first = try whole(1...4)
    let separator = next
    let separators = [UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ".")]
    guard separators.contains(separator), first.digits != 3, take(separator) else { throw .noTime }
    let month = try whole(1...2).value
    guard take(separator) else { throw .noTime }
    if first.digits == 4 { return try CivilTime.days(first.value, month, whole(1...2).value) }
    let year = try whole(4...4).value
    guard separator == UInt8(ascii: ".") else { throw .ambiguousDate }
    return try CivilTime.days(year, month, first.value)
  }

  fileprivate mutating func timeOfDay(
    hours: ClosedRange<Int> = 1...2, below limit: Int64 = 24
  ) throws(CivilTime.Fault) -> CivilTime {
    let hour = try whole(hours).value
    // ISO 8601 calls the end of a day 24:00.
    guard take(UInt8(ascii: ":")), hour < limit || hour == 24 else { throw .noTime }
    let minute = try whole(1...2)
    // Some programs write `9:5:3`. Without seconds, `16:9` is no time.
    guard minute.value < 60, minute.digits == 2 || next == UInt8(ascii: ":") else { throw .noTime }
    var second: Int64 = 0
    var fraction: (nanoseconds: Int64, isRounded: Bool) = (0, false)
    if take(UInt8(ascii: ":")) {
      second = try whole(1...2).value
      if second == 60 { throw .leapSecond }
      guard second < 60 else { throw .noTime }
      // A colon before milliseconds, as phones write it: `14:00:00:250`.
      if take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) || take(UInt8(ascii: ":")) {
        fraction = try self.fraction()
      }
    }
    guard hour < limit || minute.value == 0 && second == 0 && fraction.nanoseconds == 0 else { throw .noTime }
    takeSpaces()
    let offset = try zone()
    let seconds = hour * 3_600 + minute.value * 60 + second - (offset ?? 0)
    var time = CivilTime(
      nanoseconds: seconds * 1_000_000_000 + fraction.nanoseconds, isRounded: fraction.isRounded, hasZone: offset != nil
    )
    time.isOfZone = offset != nil
    return time
  }
}
