import SluiceReadings
import SluiceSystem

extension CSVFile {
  /// Goes to the header, after a byte order mark and comments, and detects the dialect. From a pipe, it waits only for
  /// this row, or for one more row after a comment.
  /// - Returns: The names in the last comment, if the row after it has numbers and no names.
  func begin() throws(SluiceError) -> [String]? {
    var comment: [UInt8] = []
    var isFirst = true
    var said: UInt8?
    while let line = try nextRawLine() {
      let bytes = UnsafeBufferPointer(start: buffer + line.lowerBound, count: line.count)
      if isFirst, bytes.starts(with: [0xef, 0xbb, 0xbf]) { start += 3 }
      let isReturn = line.upperBound > start && buffer[line.upperBound - 1] == UInt8(ascii: "\r")
      let text = UnsafeBufferPointer(start: buffer + start, count: max(0, line.upperBound - start - (isReturn ? 1 : 0)))
      // Excel names the delimiter in this line.
      if isFirst, text.count == 5, text.starts(with: "sep=".utf8), CSVDialect.delimiters.contains(text[4]) {
        said = text[4]
        self.line += 1
        start = min(end, line.upperBound + 1)
        isFirst = false
        continue
      }
      isFirst = false
      guard text.isEmpty || text.first == UInt8(ascii: "#") else {
        guard !comment.isEmpty, Self.isNumbers(text) else {
          dialect = CSVDialect(header: text)
          if let said { dialect.delimiter = said }
          return nil
        }
        return comment.withUnsafeBufferPointer { names(in: UnsafeBufferPointer(rebasing: $0.dropFirst())) }
      }
      guard !text.contains(UInt8(ascii: "\r")) else { throw strayReturn }
      if !text.isEmpty { comment = Array(text) }
      self.line += 1
      start = min(end, line.upperBound + 1)
    }
    return nil
  }

  /// Makes the first row be read again, because it is not a header.
  func unread() {
    start = row
    line -= 1
  }

  private func names(in comment: UnsafeBufferPointer<UInt8>) -> [String] {
    let isAlone = comment.first.map { CSVDialect.delimiters.contains($0) } ?? true
    dialect = CSVDialect(header: comment)
    var names = dialect.names(in: comment)
    // A column may have the name `#`.
    if isAlone, !names.isEmpty { names[0] = "#" }
    return names
  }

  /// Whether a row has numbers, times and marks of missing values, not names.
  private static func isNumbers(_ row: UnsafeBufferPointer<UInt8>) -> Bool {
    guard row.contains(where: { $0 &- 0x30 < 10 }) else { return false }
    var start = 0
    while start <= row.count {
      let cell = UnsafeBufferPointer(rebasing: row[start...].prefix { !CSVDialect.delimiters.contains($0) })
      guard
        MissingMark.isOne(ExactDecimal.trim(cell)) || cell.allSatisfy({ "0123456789+-.:/ \"eETZ".utf8.contains($0) })
      else { return false }
      start += cell.count + 1
    }
    return true
  }

  var strayReturn: SluiceError {
    SluiceError(
      .malformed, "read", name, because: "its first line has a carriage return without a line feed after it",
      remedy: "end its lines with a line feed, with or without a carriage return before it")
  }

  /// The bounds of the text before the next line feed, which may be in quotes. The text is not consumed.
  private func nextRawLine() throws(SluiceError) -> Range<Int>? {
    var searched = start
    while true {
      if searched < end, let found = memchr(buffer + searched, 0x0a, end - searched) {
        return start..<UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer)
      }
      if atEnd { return start < end ? start..<end : nil }
      let offset = end - start
      try fill()
      searched = start + offset
    }
  }

  /// The cells of the next rows, without quotes and surrounding white space. The rows are read again later.
  ///
  /// From a pipe it waits for one row. From a file it takes at most 100 rows, and at most 128 KB.
  func sample() -> [[String]] {
    let (line, more) = (line, more)
    held = start
    defer {
      start = held ?? start
      held = nil
      (self.line, self.more) = (line, more)
    }
    var rows: [[String]] = []
    while rows.count < (mayWait ? 1 : 100), start - (held ?? 0) < 128 << 10 {
      // The fault of a row is reported when its values are read.
      do throws(SluiceError) {
        guard let row = try nextRow() else { break }
        rows.append((0..<row.count).map { row.withTrimmedText($0) { String(decoding: $0, as: UTF8.self) } })
      } catch {
        break
      }
    }
    return rows
  }
}
