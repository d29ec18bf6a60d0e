import SluiceReadings

/// Writes the times of consecutive rows.
///
/// It keeps the part of the text that rarely changes between rows.
struct RowTimeText {
  /// The longest text of a time.
  static let longest = 48

  private let rows: RowStyle
  private let style: RowTime
  private var zero: Int64 = 0
  private var recent = RecentTime()
  private var second = ISOSecond()

  /// ``begin(at:)`` must be called before the first time.
  init(_ rows: RowStyle) {
    self.rows = rows
    style = rows.time
  }

  init(_ rows: RowStyle, first: Int64) {
    self.init(rows)
    begin(at: first)
  }

  /// - Parameter time: The time of the next reading.
  mutating func begin(at time: Int64) { zero = rows.begin(at: time) }

  @inline(__always)
  mutating func append(_ time: Int64, to cursor: inout TextCursor) {
    if style == .nanoseconds { return cursor.append(time, after: &recent) }
    cursor = appending(time, to: cursor)
  }

  @inline(never)
  private mutating func appending(_ time: Int64, to cursor: TextCursor) -> TextCursor {
    var cursor = cursor
    if style == .iso {
      second.append(time, to: &cursor)
    } else {
      cursor.append(WideDecimal(significand: Int128(time) - Int128(zero), exponent: -9))
    }
    return cursor
  }
}

/// The text of the last second. Dates need divisions, and many rows share a second.
private struct ISOSecond {
  private var number = Int64.min
  /// The text up to the point: `2026-11-21T14:55:07.`
  private var text: [UInt8] = []

  mutating func append(_ time: Int64, to cursor: inout TextCursor) {
    let number = time.quotient(roundedDownBy: 1_000_000_000)
    let nanoseconds = time &- number &* 1_000_000_000  // the product may be below the smallest time
    if number != self.number {
      self.number = number
      text = Self.text(ofSecond: number)
    }
    cursor.append(text)
    // Ten digits, because a number has no leading zeros. The first digit is then overwritten.
    let digits = cursor.next
    cursor.append(1_000_000_000 + nanoseconds)
    cursor.next = digits + 9
    for index in 0..<9 { digits[index] = digits[index + 1] }
    cursor.append(UInt8(ascii: "Z"))
  }

  private static func text(ofSecond number: Int64) -> [UInt8] {
    let days = number.quotient(roundedDownBy: 86_400)
    let second = number - days * 86_400
    let date = CivilDate(daysSinceEpoch: days)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    return Array("\(day)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2)).".utf8)
  }
}
