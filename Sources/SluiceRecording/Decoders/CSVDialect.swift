import SluiceReadings

/// How the cells of a CSV file are separated, and which points its numbers have.
struct CSVDialect: Hashable {
  /// A comma, a semicolon, or a tab.
  var delimiter = UInt8(ascii: ",")

  /// Where cells are separated by semicolons, a comma may stand for the point of a number, as spreadsheets of many countries
  /// write it.
  var hasDecimalComma: Bool { delimiter == UInt8(ascii: ";") }

  /// The bits by which a comma becomes a point, if it is one: `,` is 0x2c and `.` is 0x2e. So a number's point is found by
  /// one comparison in every dialect.
  var pointBits: UInt8 { hasDecimalComma ? 0x02 : 0 }

  /// No more of a header is looked at.
  private static let longestHeader = 64 << 10

  static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// As the row of column names shows it: a delimiter that makes a time column of it, or else the one that is there most.
  init(header: UnsafeBufferPointer<UInt8>) {
    let header = UnsafeBufferPointer(rebasing: header.prefix(Self.longestHeader))
    let counts = Self.delimiters.map { delimiter in Self.cells(of: header, delimiter) }
    func ranks(_ index: Int) -> (Int, Int) {
      let names = counts[index]
      // A recording's own name decides alone.
      let rank = names.contains("time_ns") ? 2 : names.contains { TimeNames.isUsual($0) } ? 1 : 0
      return (names.count > 1 || rank == 2 ? rank : 0, names.count)
    }
    // Of equals the first.
    let best = counts.indices.max { ranks($0) < ranks($1) }
    if let best { delimiter = Self.delimiters[best] }
  }

  init() {}

  /// The names in a comment that stands in place of a header.
  func names(in comment: UnsafeBufferPointer<UInt8>) -> [String] {
    Self.cells(of: comment, delimiter).map { name in
      String(decoding: Array(name.utf8).withUnsafeBufferPointer { Array(ExactDecimal.trim($0)) }, as: UTF8.self)
    }
  }

  /// The cells of a row of names, as far as one needs them here: a quoted name counts, but is not read.
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

  /// What iconv calls the encoding of a text of two bytes a character; nil for any other.
  static func wideEncoding(_ beginning: [UInt8]) -> String? {
    if beginning.starts(with: [0xff, 0xfe]) { return "UTF-16LE" }
    if beginning.starts(with: [0xfe, 0xff]) { return "UTF-16BE" }
    // Without a mark: in a header of Latin letters every second byte is 0.
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
