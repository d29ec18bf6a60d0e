/// The first lines of a table, which are looked at before it is read.
struct TableText {
  /// The first bytes as they are, also those of a line that is not whole.
  let beginning: [UInt8]
  /// Whether these are all.
  let isWhole: Bool
  /// Whether a quote is not closed.
  let isOpen: Bool
  /// The bytes of these lines, without a byte order mark.
  let bytes: ArraySlice<UInt8>
  /// The rows by their first lines: a line feed in quotes belongs to the row that it is in, and the other lines of that row
  /// are empty. So lines keep their numbers.
  let lines: [[UInt8]]
  /// The same as texts. A line that is not UTF-8 is another one as a text.
  let texts: [String]

  private let hasComments: Bool

  /// The first bytes that are looked at, and the most lines.
  static let limit = 64 << 10
  /// The most bytes that are looked at for a header and a row.
  static let longest = 4 << 20
  static let most = 400

  /// - Parameters:
  ///   - beginning: The first bytes.
  ///   - isWhole: Whether these are all.
  ///   - most: The most lines.
  init(_ beginning: [UInt8], isWhole: Bool, most: Int = Self.most) {
    (self.beginning, hasComments) = (beginning, true)
    let text = beginning.dropFirst(beginning.starts(with: TextDecoding.mark) ? TextDecoding.mark.count : 0)
    var lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: most, omittingEmptySubsequences: false)
    self.isWhole = isWhole && lines.count <= most
    if !self.isWhole || lines.last?.isEmpty ?? false { lines = lines.dropLast() }
    bytes = text[..<(lines.last?.endIndex ?? text.startIndex)]
    (self.lines, isOpen) = CSVCells.joined(lines.map { Array($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) })
    texts = self.lines.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Rows without line feeds, as a device sends them. None of them is a comment.
  init(lines: [[UInt8]]) {
    hasComments = false
    (beginning, isWhole, isOpen, bytes, self.lines) = ([], false, false, [], lines)
    texts = lines.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a line is neither blank, nor a comment, nor the line in which Excel names the delimiter.
  func isShown(_ line: Int) -> Bool {
    !lines[line].isEmpty && !(hasComments && (lines[line][0] == UInt8(ascii: "#") || isDelimiterOfExcel(line)))
  }

  func isDelimiterOfExcel(_ line: Int) -> Bool {
    let text = lines[line]
    return text.count == 5 && text.starts(with: "sep=".utf8) && CSVDialect.delimiters.contains(text[4])
  }

  /// Whether a line begins with the time column of a recording.
  func isRecording(_ line: Int) -> Bool { lines[line].starts(with: "time_ns,".utf8) || texts[line] == "time_ns" }

  /// The line after a row.
  func end(of line: Int) -> Int { line + 1 + lines[line].count { $0 == UInt8(ascii: "\n") } }

  /// The rows of a pipe that are looked at.
  static let rowsOfPipe = 3

  /// Whether a pipe has what is looked at, so that its reader does not wait for more.
  /// - Parameter start: The first line that is looked at.
  func isEnough(from start: Int) -> ByteSource.Enough {
    // A header may go on in the next line.
    guard !isOpen else { return lines.count > 2 ? .soon : .no }
    if TableSearch.hasSettings(self) { return .soon }
    guard let first = lines.indices.dropFirst(start).first(where: isShown) else {
      let areReturns = !beginning.contains(UInt8(ascii: "\n")) && beginning.contains(UInt8(ascii: "\r"))
      return areReturns ? .yes : .no
    }
    // The metadata of a recording is its header.
    if isRecording(first) || end(ofRows: Self.rowsOfPipe, from: start) != nil { return .yes }
    let isMore = lines.dropFirst(end(of: first)).contains { !$0.isEmpty }
    return isMore || TableRows(self, from: first)?.rows.first == first ? .soon : .no
  }

  /// The first lines, with so many rows; all lines if they have fewer.
  /// - Parameter start: The first line that is looked at.
  func prefix(rows: Int, from start: Int) -> TableText {
    // Lines of settings look like rows.
    TableSearch.hasSettings(self) ? self : end(ofRows: rows, from: start).map { TableText(self, to: $0) } ?? self
  }

  /// The line behind so many rows; nil if there are fewer.
  private func end(ofRows count: Int, from start: Int) -> Int? {
    let shown = lines.indices.dropFirst(start).filter(isShown)
    return shown.dropFirst(count - 1).lazy.map { end(of: $0) }.first { end in
      TableRows(TableText(self, to: end), from: start).map { $0.rows.count >= count } ?? false
    }
  }

  /// The lines before one of them.
  private init(_ text: TableText, to end: Int) {
    (beginning, isWhole, isOpen, hasComments) = (text.beginning, false, false, text.hasComments)
    (lines, texts) = (Array(text.lines[..<end]), Array(text.texts[..<end]))
    bytes = text.bytes
  }
}
