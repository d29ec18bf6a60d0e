import SluiceReadings

/// The cells of a row. It is valid as long as the bytes and the ``CellEnds`` that it was made of are not changed.
struct CSVRow {
  let bytes: UnsafeBufferPointer<UInt8>
  let ends: UnsafeBufferPointer<Int>  // the end of each cell, without its delimiter
  let dialect: CSVDialect

  var count: Int { ends.count }

  /// Whether there is a carriage return outside of quotes. Lines that end only with carriage returns make one row.
  var hasStrayReturn: Bool {
    var quotes = CSVQuotes()
    for byte in bytes {
      if byte == UInt8(ascii: "\r"), !quotes.isQuoted { return true }
      quotes.take(byte, dialect.delimiter)
    }
    return false
  }

  /// The bytes of neighbouring cells in the file.
  func bytes(_ cells: ClosedRange<Int>) -> UnsafeBufferPointer<UInt8> {
    guard cells.upperBound < count else { return UnsafeBufferPointer(start: nil, count: 0) }
    let start = cells.lowerBound == 0 ? 0 : ends[cells.lowerBound - 1] + 1
    return UnsafeBufferPointer(rebasing: bytes[start..<ends[cells.upperBound]])
  }

  /// A cell from its quote on, if only spaces stand before it.
  private func quoted(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    let cell = bytes(index...index)
    let rest = cell.drop { $0 == 0x20 }
    return rest.first == UInt8(ascii: "\"") ? UnsafeBufferPointer(rebasing: rest) : nil
  }

  /// The text of a cell without its quotes.
  func text(_ index: Int) -> String {
    guard index < count else { return "" }
    return quoted(index).map { String(decoding: CSVCells.unquoted($0), as: UTF8.self) }
      ?? String(decoding: bytes(index...index), as: UTF8.self)
  }

  /// Calls a closure with the text of a cell, without quotes and surrounding white space.
  func withTrimmedText<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    guard let quoted = quoted(index) else { return body(ExactDecimal.trim(bytes(index...index))) }
    return CSVCells.unquoted(quoted).withUnsafeBufferPointer { body(ExactDecimal.trim($0)) }
  }

  /// Whether a cell has only spaces.
  func isBlank(_ index: Int) -> Bool {
    let cell = bytes(index...index)
    return cell.isEmpty || text(index).allSatisfy { $0 == " " || $0 == "\t" }
  }

  /// The number in a cell: ``ExactDecimal/missing`` for an empty cell and for `nan`, nil for text that is not a
  /// number.
  func number(_ index: Int) -> NearestDecimal? {
    guard index < count else { return nil }
    let cell = bytes(index...index)
    if cell.isEmpty { return .missing }
    return withTrimmedText(index) { text in
      if text.isEmpty || String(decoding: text, as: UTF8.self).lowercased() == "nan" { return .missing }
      return dialect.number(text)
    }
  }
}

/// The ends of the cells of a row, in memory that is used for each row again.
final class CellEnds {
  // Swift's check of exclusive access would cost more than a cell. One thread at a time uses it.
  @exclusivity(unchecked) private var ends = UnsafeMutablePointer<Int>.allocate(capacity: 64)
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0

  deinit { ends.deallocate() }

  /// Finds the cells of a row, which has no line end.
  func split(_ row: UnsafeBufferPointer<UInt8>, _ dialect: CSVDialect) throws(CellFault) -> CSVRow {
    count = 0
    var quotes = CSVQuotes()
    for index in 0..<row.count {
      if row[index] == dialect.delimiter, !quotes.isQuoted { add(index) }
      quotes.take(row[index], dialect.delimiter)
      // Rows without a fault would be lost in the cell.
      if quotes.isDamaged { throw CellFault(column: count, cause: "a quoted cell does not end") }
    }
    add(row.count)
    return CSVRow(bytes: row, ends: UnsafeBufferPointer(start: ends, count: count), dialect: dialect)
  }

  private func add(_ offset: Int) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Int>.allocate(capacity: capacity * 2)
      larger.update(from: ends, count: capacity)
      ends.deallocate()
      ends = larger
      capacity *= 2
    }
    ends[count] = offset
    count += 1
  }
}

/// What is said about a row that was read.
struct RowNotes {
  /// Whether a number has more digits than a reading can hold.
  var isRounded = false
  /// Columns without a value before, which have text now.
  var texts: Set<Int> = []
}

/// The fault of a cell.
struct CellFault: Error {
  /// The number of the cell, from 0.
  var column: Int
  var cause: String
  var remedy: String?
}
