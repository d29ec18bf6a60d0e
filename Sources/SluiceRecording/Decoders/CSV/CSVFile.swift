import SluiceReadings
import SluiceSystem

/// Reads the rows of a CSV file in large chunks, without a string per cell and without an allocation per row.
///
/// Reads RFC 4180 with LF or CRLF and quoted cells. It also reads a byte order mark, comments before the header, the
/// delimiters of ``CSVDialect``, and a last row without an end.
final class CSVFile {
  // Swift's check of exclusive access took a tenth of a replay. The class is not Sendable, so one thread at a time
  // reads.

  /// The length of the longest allowed row. A file without line ends would fill the memory.
  static let longestRow = 16 << 20
  /// The remedy for a row that cannot be read.
  static let skipRemedy = "repair the row, or leave out such rows with --skip-bad"

  /// The name of the file in errors.
  let name: String
  private let source: ByteSource
  var dialect = CSVDialect()
  /// Finds the cells of the rows.
  @exclusivity(unchecked) var ends = CellEnds()
  /// The number of the next row.
  @exclusivity(unchecked) private var number = 0
  /// Whether text after the last line end is left out, because the file was cut off there.
  var leavesOutTornRow = false
  /// The header, to recognize it when it comes again.
  var header: RepeatedHeader?
  /// Whether unreadable rows are left out.
  var skipsBad = false
  /// The counts of unreadable rows.
  @exclusivity(unchecked) var skipped = SkippedOfFile(nil)
  /// What is said if its first rows cannot be read.
  var advice: TableAdvice?
  /// Called with each message for the user.
  var warn: (String) -> Void = { _ in }
  /// Whether the next rounded number is reported. Only the first one is.
  @exclusivity(unchecked) private var saysRounded = true
  /// The columns whose texts were reported.
  @exclusivity(unchecked) private var saidTexts: Set<Int> = []
  @exclusivity(unchecked) var buffer: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity = 256 << 10
  @exclusivity(unchecked) var start = 0  // the start of the next row
  @exclusivity(unchecked) var end = 0  // the end of the bytes that were read
  @exclusivity(unchecked) var atEnd = false
  /// The error that ended the input. It is not the fault of a row, and nothing is read after it.
  private(set) var sourceFault: SluiceError?
  @exclusivity(unchecked) var line = 0  // the first line of the row read last, from 1
  @exclusivity(unchecked) var more = 0  // the number of further lines of that row
  @exclusivity(unchecked) private var lines = 1  // the number of lines of the row that is being read
  @exclusivity(unchecked) var row = 0  // the start of the row read last
  @exclusivity(unchecked) var isTooLong = false

  init(_ name: String, _ source: ByteSource) {
    self.name = name
    self.source = source
    buffer = Self.allocate(capacity)
    memset(buffer, 0, DecimalDigits.slack)
  }

  /// Allocates a buffer with space for the bytes that are read beyond the end of a number.
  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    .allocate(capacity: capacity + DecimalDigits.slack)
  }

  deinit { buffer.deallocate() }

  /// - Parameter column: The number of the cell, from 1.
  func malformed(column: Int, _ cause: String, remedy: String? = nil) -> SluiceError {
    SluiceError(.malformed, "read", name, because: "line \(line), column \(column): \(cause)", remedy: remedy)
  }

  /// Calls a closure, and says where in the file the fault of its cell is.
  func reporting<T>(_ body: () throws(CellFault) -> T) throws(SluiceError) -> T {
    do throws(CellFault) { return try body() } catch {
      throw malformed(column: error.column + 1, error.cause, remedy: error.remedy ?? Self.skipRemedy)
    }
  }

  var mayWait: Bool { source.mayWait }

  /// Reports what there is to say about the last row.
  @inline(never)
  func say(_ notes: RowNotes) {
    if notes.isRounded, saysRounded {
      saysRounded = false
      warn("\(name): line \(line): a number has more digits than fit in 64 bits; such numbers are rounded")
    }
    for column in notes.texts.sorted() where saidTexts.insert(column).inserted {
      warn("\(name): line \(line): column \(column + 1) has text; this text and later texts in the column are left out")
    }
  }

  /// Goes back to the first row.
  func rewind() throws(SluiceError) {
    do throws(SystemErrno) { try source.rewind() } catch { throw SluiceError(reading: name, error) }
    (start, end, line, more, lines, atEnd, isTooLong, sourceFault) = (0, 0, 0, 0, 1, false, false, nil)
    number = 0
    header = nil
    memset(buffer, 0, DecimalDigits.slack)
  }

  // MARK: Plain rows

  /// The start of the next row. The bytes after the last row are neither digits nor the end of a cell.
  @inline(__always) var next: UnsafePointer<UInt8> { UnsafePointer(buffer + start) }

  /// Continues after single-line rows that the caller has read from ``next`` on.
  @inline(__always) func skip(to next: UnsafePointer<UInt8>, lines count: Int) {
    guard count > 0 else { return }
    start = next - UnsafePointer(buffer)
    line += count + more
    more = 0
  }

  /// Whether another row can be read without waiting for the file.
  var hasRow: Bool { atEnd || memchr(buffer + start, 0x0a, end - start) != nil }

  // MARK: All rows

  /// The next row that is not empty; nil at the end.
  func nextRow() throws(SluiceError) -> CSVRow? {
    while let (from, to) = try nextLine() {
      beginRow(at: from)
      var to = to
      if to > from, buffer[to - 1] == UInt8(ascii: "\r") { to -= 1 }
      guard to > from else { continue }
      let row = try reporting { () throws(CellFault) in
        defer { number += buffer[from] == UInt8(ascii: "#") ? 0 : 1 }
        return try ends.split(UnsafeBufferPointer(start: buffer + from, count: to - from), dialect, number: number)
      }
      if header != nil, try isHeader(row) {
        number -= 1
        continue
      }
      return row
    }
    return nil
  }

  /// Whether a row has been read, or has failed.
  private func beginRow(at offset: Int) {
    row = offset
    line += 1 + more
    more = lines - 1
    lines = 1
  }

  /// The bounds of a row within the buffer, without its line feed.
  private func nextLine() throws(SluiceError) -> (Int, Int)? {
    var searched = start
    var quotes = RowQuotes()
    lines = 1
    while true {
      if searched < end, let found = memchr(buffer + searched, 0x0a, end - searched) {
        let feed = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer)
        guard isQuoted(searched, feed, &quotes) else {
          defer { start = feed + 1 }
          return (start, feed)
        }
        lines += 1  // the line feed belongs to a quoted cell
        searched = feed + 1
        continue
      }
      let isWhole = !isQuoted(searched, end, &quotes)
      if atEnd { return try lastLine(isWhole: isWhole) }
      let offset = end - start
      try fill()
      searched = start + offset
    }
  }

  /// The text after the last line end.
  private func lastLine(isWhole: Bool) throws(SluiceError) -> (Int, Int)? {
    let row = (start, end)
    start = end
    guard row.0 < row.1 else { return nil }
    // A torn header is used anyway, and a lone carriage return is not a row.
    let isTorn = line > 0 && row.1 - row.0 > (buffer[row.1 - 1] == UInt8(ascii: "\r") ? 1 : 0)
    if isTorn, leavesOutTornRow {
      let what = buffer[row.1 - 1] == 0 ? "what it ends in, NUL bytes," : "its last row has no line end and"
      warn("\(name): \(what) is left out, because the recording was cut off there")
      return nil
    }
    guard isWhole else {
      beginRow(at: row.0)
      number += 1
      throw malformed(column: 1, "a quoted cell does not end", remedy: Self.skipRemedy)
    }
    if isTorn { warn("\(name): its last row has no line end and is taken as it stands") }
    return row
  }

  /// The quotes of the row that begins at ``start``. Nearly all rows have no quote, and their bytes are not examined
  /// one by one.
  private struct RowQuotes {
    var quotes = CSVQuotes()
    var isThere = false
    /// The number of bytes that were examined.
    var count = 0
  }

  /// Whether a place is within quotes.
  /// - Parameter from: Where the bytes begin that were not yet searched for a quote.
  private func isQuoted(_ from: Int, _ to: Int, _ row: inout RowQuotes) -> Bool {
    if !row.isThere, to > from { row.isThere = memchr(buffer + from, 0x22, to - from) != nil }
    guard row.isThere else { return false }
    while start + row.count < to {
      row.quotes.take(buffer[start + row.count], dialect.delimiter)
      row.count += 1
    }
    return row.quotes.isQuoted
  }

  func fill() throws(SluiceError) {
    if let sourceFault { throw sourceFault }
    if start > 0 {
      memmove(buffer, buffer + start, end - start)
      (start, end) = (0, end - start)
    }
    if end == capacity, leavesOutTornRow { joinNULs() }
    if end == capacity {
      guard capacity < Self.longestRow else {
        if line == 0, memchr(buffer, 0x0d, end) != nil, memchr(buffer, 0x0a, end) == nil {
          throw Self.strayReturn(in: name)
        }
        beginRow(at: start)
        number += 1
        isTooLong = true
        throw malformed(
          column: 1, "the row is longer than \(Self.longestRow >> 20) MiB", remedy: Self.skipRemedy)
      }
      let larger = Self.allocate(capacity * 2)
      memcpy(larger, buffer, end)
      buffer.deallocate()
      buffer = larger
      capacity *= 2
    }
    // The bytes are cleared even after a fault, because they are from earlier rows.
    defer { memset(buffer + end, 0, DecimalDigits.slack) }  // neither a digit nor the end of a cell
    do throws(SystemErrno) {
      let count = try source.fill(UnsafeMutableRawBufferPointer(start: buffer + end, count: capacity - end))
      atEnd = count == 0
      end += count
    } catch {
      let fault = SluiceError(reading: name, error)
      sourceFault = fault
      throw fault
    }
  }

  /// Keeps only one of the NUL bytes that a power cut may have left. The others add nothing.
  private func joinNULs() {
    while end - start > 1, buffer[end - 1] == 0, buffer[end - 2] == 0 { end -= 1 }
  }
}
