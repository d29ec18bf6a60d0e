/// The name of one part of a recording: `walk.000123.20261121T145507Z.csv`.
///
/// The number gives the order and never restarts. The time is that of the first reading, in UTC, for people.
package struct PartName: Equatable, Sendable {
  /// The stem: `walk`
  package var stem: String
  package var number: Int
  /// The time: `20261121T145507Z`
  package var time: String
  /// The ending: `csv`
  package var ending: String

  /// - Parameter time: Nanoseconds since the epoch.
  package init(stem: String, number: Int, time: Int64, ending: String) {
    self.stem = stem
    self.number = number
    self.time = Self.text(time)
    self.ending = ending
  }

  /// - Parameter name: A name without a folder.
  /// - Returns: Nil if it is not the name of a part.
  package init?(_ name: some StringProtocol) {
    guard Self.mayBePart(name.unicodeScalars) else { return nil }
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count >= 4 else { return nil }
    let (number, time) = (words[words.count - 3], words[words.count - 2])
    let stem = words.dropLast(3).joined(separator: ".")
    guard number.utf8.count >= Self.digits, number.utf8.allSatisfy({ (0x30..<0x3a).contains($0) }),
      let value = Int(number), Self.numbers.contains(value), Self.isTime(time), !stem.isEmpty
    else { return nil }
    self.stem = stem
    self.number = value
    self.time = String(time)
    ending = String(words[words.count - 1])
  }

  /// The name of the recording: `walk.csv`.
  package var recording: String { "\(stem).\(ending)" }

  package var text: String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, Self.digits - digits.count))
    return "\(stem).\(zeros)\(digits).\(time).\(ending)"
  }

  /// The smallest number of digits. After 999,999 parts, numbers are longer.
  private static let digits = 6
  /// The valid numbers. A name with a larger number is not the name of a part.
  static let numbers = 1..<1_000_000_000_000_000

  /// A quick check, because a folder may have thousands of other files: `Z` before the last dot, and a dot before the time.
  private static func mayBePart(_ name: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let time = name[..<dot].suffix(17)
    return time.first == "." && time.last == "Z" && time.count == 17
  }

  private static func isTime(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 16 && bytes[8] == UInt8(ascii: "T") && bytes[15] == UInt8(ascii: "Z")
      && (bytes[..<8] + bytes[9..<15]).allSatisfy { (0x30..<0x3a).contains($0) }
  }
}

extension PartName {
  /// The time, in seconds since the epoch.
  var seconds: Int64? {
    let digits = time.utf8.filter { (0x30..<0x3a).contains($0) }.map { Int64($0 - 0x30) }
    guard digits.count == 14 else { return nil }
    func number(_ range: Range<Int>) -> Int64 { digits[range].reduce(0) { $0 * 10 + $1 } }
    let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    return date.daysSinceEpoch * 86_400 + number(8..<10) * 3_600 + number(10..<12) * 60 + number(12..<14)
  }

  /// A time without colons, because some file systems refuse them.
  static func text(_ time: Int64) -> String {
    let seconds = time.quotient(roundedDownBy: 1_000_000_000)
    let day = seconds.quotient(roundedDownBy: 86_400)
    let second = seconds - day * 86_400
    let date = CivilDate(daysSinceEpoch: day)
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return padded(min(max(date.year, 0), 9_999), 4) + padded(date.month, 2) + padded(date.day, 2) + "T"
      + padded(second / 3_600, 2)
      + padded(second / 60 % 60, 2) + padded(second % 60, 2) + "Z"
  }
}
