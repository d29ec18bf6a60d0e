import SluiceReadings

/// The cells of a row. It is valid as long as the bytes and the ``CellEnds`` that it was made of are not changed.
struct CSVRow {
  let bytes: UnsafeBufferPointer<UInt8>
  let cells: UnsafeBufferPointer<(start: Int, end: Int)>
  let dialect: CSVDialect
  /// Its number, from 0.
  let number: Int

  var count: Int { cells.count }

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
  func bytes(_ range: ClosedRange<Int>) -> UnsafeBufferPointer<UInt8> {
    // Pairs may stand in another order than their columns.
    guard range.upperBound < count,
      case let (start, end) = (cells[range.lowerBound].start, cells[range.upperBound].end),
      start <= end
    else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
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

/// The cells of a row, in memory that is used for each row again.
final class CellEnds {
  let form: RowForm
  let isPlain: Bool
  // Swift's check of exclusive access would cost more than a cell. One thread at a time uses it.
  @exclusivity(unchecked) private var cells = UnsafeMutablePointer<(start: Int, end: Int)>.allocate(capacity: 64)
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0

  init(_ form: RowForm = RowForm()) { (self.form, isPlain) = (form, form.isPlain) }

  deinit { cells.deallocate() }

  /// Finds the cells of a row, which has no line end.
  /// - Parameter number: The number of the row, from 0.
  func split(
    _ row: UnsafeBufferPointer<UInt8>, _ dialect: CSVDialect, number: Int = 0
  ) throws(CellFault) -> CSVRow {
    count = 0
    if isPlain {
      try split(row, from: 0, dialect.delimiter)
    } else {
      try split(row, dialect.delimiter)
    }
    return CSVRow(
      bytes: row, cells: UnsafeBufferPointer(start: cells, count: count), dialect: dialect, number: number)
  }

  private func split(
    _ row: UnsafeBufferPointer<UInt8>, from first: Int, _ delimiter: UInt8
  ) throws(CellFault) {
    var (quotes, start) = (CSVQuotes(), first)
    for index in first..<row.count {
      if row[index] == delimiter, !quotes.isQuoted {
        add(start, index)
        start = index + 1
      }
      quotes.take(row[index], delimiter)
      // Rows without a fault would be lost in the cell.
      if quotes.isDamaged { throw CellFault(column: count, cause: "a quoted cell does not end") }
    }
    add(start, row.count)
  }

  /// Finds the cells of a row that is not plain.
  private func split(_ row: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8) throws(CellFault) {
    var start = 0
    // Its reader says that it is a comment.
    let isComment = row.first == UInt8(ascii: "#")
    if form.hasArrow, !isComment, let arrow = RowForm.arrow(in: row) {
      add(0, arrow.lowerBound)
      start = arrow.upperBound
    }
    switch form.cells {
    case .delimiters: try split(row, from: start, delimiter)
    case .spaces: RowForm.fields(row[start...], 0x20).forEach { add($0.startIndex, $0.endIndex) }
    case .pairs(let delimiter, let names):
      let values = RowForm.values(of: RowForm.fields(row[start...], delimiter), names)
      values.forEach { add($0.startIndex, $0.endIndex) }
    }
    let number = count > 0 ? cells[0] : (0, 0)
    if let taken = form.taken {
      let (lower, upper) = (min(taken.lowerBound, count), min(taken.upperBound, count))
      cells.update(from: cells + lower, count: upper - lower)
      count = upper - lower
    }
    guard case let clock = form.clock, clock != .cells, !isComment else { return }
    add(0, 0)
    for index in (1..<count).reversed() { cells[index] = cells[index - 1] }
    if case .counted(_, _, true) = clock { cells[0] = number } else { cells[0] = (0, 0) }
  }

  private func add(_ start: Int, _ end: Int) {
    if count == capacity {
      let larger = UnsafeMutablePointer<(start: Int, end: Int)>.allocate(capacity: capacity * 2)
      larger.update(from: cells, count: capacity)
      cells.deallocate()
      cells = larger
      capacity *= 2
    }
    cells[count] = (start, end)
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
