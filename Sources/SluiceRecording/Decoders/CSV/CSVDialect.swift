import SluiceReadings

/// The delimiter of a CSV file and the decimal point of its numbers.
struct CSVDialect: Hashable {
  /// A comma, a semicolon, or a tab.
  var delimiter = UInt8(ascii: ",")

  /// If the delimiter is a semicolon, numbers may have a decimal comma. Spreadsheets of many countries write this.
  var hasDecimalComma: Bool { delimiter == UInt8(ascii: ";") }

  /// With a decimal comma, the bits that change a comma into a point: `,` is 0x2c and `.` is 0x2e. So one comparison
  /// finds the point of a number in every dialect.
  var pointBits: UInt8 { hasDecimalComma ? 0x02 : 0 }

  /// The longest part of a header that is examined.
  private static let longestHeader = 64 << 10

  static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// Detects the dialect from the header: the delimiter that gives a time column, or else the most frequent delimiter.
  init(header: UnsafeBufferPointer<UInt8>) {
    let header = UnsafeBufferPointer(rebasing: header.prefix(Self.longestHeader))
    let counts = Self.delimiters.map { delimiter in Self.cells(of: header, delimiter) }
    func ranks(_ index: Int) -> (Int, Int) {
      let names = counts[index]
      // The names in recordings are decisive.
      let isOurs = names.contains("time_ns") || names.first.map { RowTime(column: $0.utf8) != nil } ?? false
      let rank = isOurs ? 2 : names.contains { TimeNames.isUsual($0) } ? 1 : 0
      return (names.count > 1 || rank == 2 ? rank : 0, names.count)
    }
    // If two are equally frequent, the first one.
    let best = counts.indices.max { ranks($0) < ranks($1) }
    if let best { delimiter = Self.delimiters[best] }
  }

  init() {}

  /// The names in a comment that replaces the header.
  func names(in comment: UnsafeBufferPointer<UInt8>) -> [String] {
    Self.cells(of: comment, delimiter).map { name in
      String(decoding: Array(name.utf8).withUnsafeBufferPointer { Array(ExactDecimal.trim($0)) }, as: UTF8.self)
    }
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
