import SluiceReadings

/// The delimiter of a CSV file and the decimal point of its numbers.
struct CSVDialect: Equatable {
  /// A comma, a semicolon, or a tab.
  var delimiter = UInt8(ascii: ",")

  /// Whether numbers between tabs have a decimal comma, as ``look(at:)`` has found.
  private var hasTabsAndCommas = false

  /// If the delimiter is a semicolon, numbers may have a decimal comma. Spreadsheets of many countries write this.
  var hasDecimalComma: Bool { delimiter == UInt8(ascii: ";") || hasTabsAndCommas }

  /// Looks for decimal commas between tabs. `1,234` may be a thousand and more, so one number must show that it is not.
  mutating func look(at sample: [[String]]) {
    guard delimiter == UInt8(ascii: "\t") else { return }
    let numbers = sample.joined().filter { DecimalText($0) != nil }
    hasTabsAndCommas =
      !numbers.contains { $0.contains(".") }
      && numbers.contains { number in
        guard let comma = number.firstIndex(of: ",") else { return false }
        return number[comma...].dropFirst().count { $0.isNumber } != 3
      }
  }

  /// With a decimal comma, the bits that change a comma into a point: `,` is 0x2c and `.` is 0x2e. So one comparison
  /// finds the point of a number in every dialect.
  var pointBits: UInt8 { hasDecimalComma ? 0x02 : 0 }

  /// The longest part of a header that is examined.
  private static let longestHeader = 64 << 10

  static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// Detects the dialect from the header: the delimiter that gives a time column, or else the one that gives the most
  /// numbers and times, as in a row of values with decimal commas, or else the most frequent one.
  init(header: UnsafeBufferPointer<UInt8>) {
    let header = UnsafeBufferPointer(rebasing: header.prefix(Self.longestHeader))
    let counts = Self.delimiters.map { delimiter in Self.cells(of: header, delimiter) }
    let values = counts.map { cells in cells.count > 1 ? Self.values(cells) : 0 }
    func ranks(_ index: Int) -> (Int, Int, Int, Int) {
      let names = counts[index]
      // The names in recordings are decisive.
      let isOurs = names.contains("time_ns") || names.first.map { RowTime(column: $0.utf8) != nil } ?? false
      let rank = isOurs ? 2 : names.contains { TimeNames.isUsual($0) } ? 1 : 0
      // `14:00 Uhr;1,5` has one number with either. Where another delimiter stands, a comma is that of a number.
      let hasValue =
        names.count > 1 && Self.delimiters[index] != UInt8(ascii: ",") && names.contains(where: Self.isValue)
      return (names.count > 1 || rank == 2 ? rank : 0, values[index], names.count, hasValue ? 1 : 0)
    }
    // If two are equally frequent, the first one.
    let best = counts.indices.max { ranks($0) < ranks($1) }
    if let best { delimiter = Self.delimiters[best] }
  }

  private static func trimmed(_ text: String) -> [UInt8] {
    Array(text.utf8).withUnsafeBufferPointer { Array(ExactDecimal.trim($0)) }
  }

  /// How many more cells are numbers and times than other texts; 0 for names. `1,5;2,5` has two, and `5;2` is none.
  private static func values(_ cells: [String]) -> Int {
    max(0, cells.reduce(0) { $0 + (isValue($1) ? 1 : $1.isEmpty ? 0 : -1) })
  }

  private static func isValue(_ cell: String) -> Bool {
    let text = String(decoding: trimmed(cell), as: UTF8.self)
    return DecimalText(text) != nil || TimeColumn.isTimeText(text)
  }

  init() {}

  /// The names in a comment that replaces the header.
  func names(in comment: UnsafeBufferPointer<UInt8>) -> [String] {
    Self.cells(of: comment, delimiter).map { String(decoding: Self.trimmed($0), as: UTF8.self) }
  }

  /// The cells of the header. Quoted names are counted, but not decoded here.
  private static func cells(of header: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8) -> [String] {
    var cells: [String] = []
    var start = 0
    var isQuoted = false
    for index in 0...header.count {
      if index < header.count {
        if header[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
        guard header[index] == delimiter, !isQuoted else { continue }
      }
      let cell = header[start..<index].filter { $0 != UInt8(ascii: "\"") }
      cells.append(String(decoding: cell, as: UTF8.self))
      start = index + 1
    }
    return cells
  }

  // MARK: UTF-16

  /// The name of the encoding for iconv, if each character has two bytes; nil otherwise.
  static func wideEncoding(_ beginning: [UInt8]) -> String? {
    if beginning.starts(with: [0xff, 0xfe]) { return "UTF-16LE" }
    if beginning.starts(with: [0xfe, 0xff]) { return "UTF-16BE" }
    // Without a byte order mark: in a header of Latin letters every second byte is 0.
    let characters = beginning.prefix(32)
    guard characters.count >= 8 else { return nil }
    func isText(_ parity: Int) -> Bool {
      characters.enumerated().allSatisfy { offset, byte in
        offset % 2 == parity ? (0x09..<0x7f).contains(byte) : byte == 0
      }
    }
    return isText(0) ? "UTF-16LE" : isText(1) ? "UTF-16BE" : nil
  }
}
