import SluiceReadings

/// Where the quotes of a row begin and end, as RFC 4180 has them: a quote opens a cell only at its beginning. Elsewhere
/// it is a character, as in `5" pipe`.
struct CSVQuotes {
  private enum Place {
    case begin, plain, quoted, closed
    /// Behind spaces after the closing quote.
    case behind
  }

  private var place = Place.begin
  /// Whether the cell has a line feed within its quotes.
  private var hasFeed = false
  /// Whether text stands behind the closing quote of a cell with a line feed. Then a quote is missing: what closed the
  /// cell is the opening quote of a later row.
  private(set) var isDamaged = false

  /// Whether the next byte is within quotes, where delimiters and line ends are characters.
  var isQuoted: Bool { place == .quoted }

  mutating func take(_ byte: UInt8, _ delimiter: UInt8) { take(byte, isDelimiter: byte == delimiter) }

  mutating func take(_ byte: UInt8, isDelimiter: Bool) {
    switch place {
    case .quoted:
      if byte == UInt8(ascii: "\"") { place = .closed } else if byte == UInt8(ascii: "\n") { hasFeed = true }
    // Two quotes within quotes are one.
    case .closed where byte == UInt8(ascii: "\""): place = .quoted
    case .begin where byte == UInt8(ascii: "\""): place = .quoted
    // Some programs write a space before the quote.
    case .begin where byte == 0x20: break
    case .closed where byte == 0x20 && !isDelimiter, .behind where byte == 0x20 && !isDelimiter: place = .behind
    case .begin, .plain, .closed, .behind:
      if hasFeed, !isDelimiter, place != .plain { isDamaged = true }
      hasFeed = false
      place = isDelimiter ? .begin : .plain
    }
  }

  /// Takes a line whose delimiter is not known, and its end.
  mutating func take(line: some Sequence<UInt8>) {
    for byte in line { take(byte, isDelimiter: CSVDialect.delimiters.contains(byte)) }
    if isQuoted { take(UInt8(ascii: "\n"), isDelimiter: false) } else { self = CSVQuotes() }
  }
}

/// The cells of a row as texts.
enum CSVCells {
  /// The cells without quotes, and without white space around them.
  static func texts(_ row: some Sequence<UInt8>, _ delimiter: UInt8) -> [String] {
    var quotes = CSVQuotes()
    var cells: [String] = []
    var cell: [UInt8] = []
    for byte in row {
      if byte == delimiter, !quotes.isQuoted {
        cells.append(text(cell))
        cell.removeAll(keepingCapacity: true)
      } else {
        cell.append(byte)
      }
      quotes.take(byte, delimiter)
    }
    return cells + [text(cell)]
  }

  /// The lines of a table in which each row is one line: a line feed in quotes belongs to the row that it is in. The
  /// other lines of that row are empty, so that lines keep their numbers.
  /// - Returns: The lines, and whether a quote is not closed. Then its row is damaged, or not yet whole, and the lines are as they
  ///   were.
  static func joined(_ lines: [[UInt8]]) -> (lines: [[UInt8]], isOpen: Bool) {
    var joined = lines
    var (quotes, first) = (CSVQuotes(), 0)
    for (index, line) in lines.enumerated() {
      if quotes.isQuoted {
        joined[first] += [UInt8(ascii: "\n")] + line
        joined[index] = []
      } else {
        first = index
      }
      if quotes.isQuoted || line.contains(UInt8(ascii: "\"")) { quotes.take(line: line) }
    }
    return quotes.isQuoted ? (lines, true) : (joined, false)
  }

  private static func text(_ cell: [UInt8]) -> String {
    cell.withUnsafeBufferPointer { cell in
      let trimmed = ExactDecimal.trim(cell)
      guard trimmed.first == UInt8(ascii: "\"") else { return String(decoding: trimmed, as: UTF8.self) }
      return unquoted(trimmed).withUnsafeBufferPointer { String(decoding: ExactDecimal.trim($0), as: UTF8.self) }
    }
  }

  /// The text of a cell that begins with a quote. If text stands behind the closing quote, that quote is a character, so that no number
  /// is made of two pieces: `97.5"9` of `"97.5"9`.
  static func unquoted(_ cell: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var index = 1
    while index < cell.count {
      if cell[index] == UInt8(ascii: "\"") {
        let rest = cell[(index + 1)...]
        // Two quotes are one.
        if rest.first == UInt8(ascii: "\"") { index += 1 } else if rest.allSatisfy(RowForm.isSpace) { return text }
      }
      text.append(cell[index])
      index += 1
    }
    return text
  }
}
