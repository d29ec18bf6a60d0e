import SluiceReadings

/// How a table is read: where its rows begin, what its columns are called, and what its rows have besides cells and delimiters:
/// spaces as delimiters, `key:value` cells, no times. Such rows are changed so that ``CSVFile`` can read them.
struct TableShape: Equatable {
  /// How the cells of a row are found.
  enum Cells: Equatable {
    case asTheyAre
    /// Spaces separate them, any number of them.
    case spaces
    /// Each has its name before a colon. The columns are in the order of these names.
    case pairs(delimiter: UInt8, names: [[UInt8]])
  }

  /// Where the time of a row comes from.
  enum Clock: Equatable {
    case cells
    /// The rows follow each other by this time.
    case period(RowPeriod)
    /// The first cell is the number of the row, or there is no cell of the time.
    case counted(start: Double, increment: Double, hasNumber: Bool)
  }

  /// The lines before the first row, with the header.
  var skipped = 0
  /// The names of the columns.
  var names: [String] = []
  /// Whether the names are numbers, because the first row is a reading.
  var isWithoutHeader = false
  var cells = Cells.asTheyAre
  /// Whether a time stands before ` -> `, as the serial monitor of the Arduino writes it.
  var hasArrow = false
  /// The cells that are taken; nil takes all.
  var taken: Range<Int>?
  var clock = Clock.cells
  var delimiter = UInt8(ascii: ",")
  /// What is told to the user.
  var notices: [String] = []

  private var isRewritten: Bool { cells != .asTheyAre || hasArrow || taken != nil || clock != .cells }

  /// The changed lines of a file; nil if they are decoded as they are.
  var rewriting: RewrittenLines? {
    guard isRewritten else { return nil }
    var rows = 0
    var quotes = CSVQuotes()
    return RewrittenLines { [self] line, text, output in
      if line == 0 { (rows, quotes) = (0, CSVQuotes()) }
      guard line >= skipped, !text.isEmpty else { return }
      // A line that begins within quotes belongs to the row before it.
      let continues = quotes.isQuoted
      if continues || text.contains(UInt8(ascii: "\"")) { quotes.take(line: text) }
      // A comment has no time, and is left out or an error.
      if continues || text[0] == UInt8(ascii: "#") {
        output += text
      } else {
        write(text, row: rows, to: &output)
        rows += 1
      }
    }
  }

  /// The cells of the first rows, without quotes and surrounding white space.
  func rows(of text: TableText, most: Int) -> [[String]] {
    let ends = CellEnds()
    let dialect = CSVDialect(delimiter)
    var rows: [[String]] = []
    for line in text.lines.dropFirst(skipped) where !line.isEmpty {
      guard rows.count < most else { break }
      var bytes = line
      if isRewritten {
        bytes = []
        line.withUnsafeBufferPointer { write($0, row: rows.count, to: &bytes) }
      }
      let cells = bytes.withUnsafeBufferPointer { bytes in
        (try? ends.split(bytes, dialect)).map { row in
          (0..<row.count).map { row.withTrimmedText($0) { String(decoding: $0, as: UTF8.self) } }
        }
      }
      // The fault of a row is reported when its values are read.
      guard let cells else { break }
      rows.append(cells)
    }
    return rows
  }

  /// Seconds without the error of binary numbers, if they are whole nanoseconds.
  private static func seconds(_ time: Double) -> String {
    let nanoseconds = (time * 1e9).rounded()
    guard abs(time * 1e9 - nanoseconds) < 1e-3, let whole = Int64(exactly: nanoseconds) else { return "\(time)" }
    return "\(whole)e-9"
  }

  private func write(_ text: UnsafeBufferPointer<UInt8>, row: Int, to output: inout [UInt8]) {
    switch clock {
    case .cells: break
    case .period(let period):
      // Its reader says that this is not a time.
      output += Array((period.time(ofRow: row).map { "\($0)" } ?? "the end of time").utf8) + [delimiter]
    case .counted(let start, let increment, let hasNumber):
      let number = hasNumber ? Double(TableLine(text).field(0, delimiter)) ?? .nan : Double(row)
      output += Array(Self.seconds(start + number * increment).utf8) + [delimiter]
    }
    guard cells != .asTheyAre || hasArrow || taken != nil else {
      output += text
      return
    }
    var line = TableLine(text)
    var fields: [Slice<UnsafeBufferPointer<UInt8>>] = []
    if hasArrow, let time = line.takeTime() { fields.append(time) }
    switch cells {
    case .asTheyAre: fields += line.fields(delimiter)
    case .spaces: fields += line.words
    case .pairs(let own, let names):
      fields += Self.values(of: own == 0x20 ? line.words : line.fields(own), names)
    }
    if let taken { fields = Array(fields[min(taken.lowerBound, fields.count)..<min(taken.upperBound, fields.count)]) }
    for (index, field) in fields.enumerated() {
      if index > 0 { output.append(delimiter) }
      output += field
    }
  }
}

extension TableShape {
  /// The values of pairs in the order of the columns, with an empty cell for a name that is not there. What has no column
  /// stands behind them, so that the row has too many cells, which its reader says.
  private static func values(
    of cells: [Slice<UnsafeBufferPointer<UInt8>>], _ names: [[UInt8]]
  ) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    var values: [Slice<UnsafeBufferPointer<UInt8>>?] = Array(repeating: nil, count: names.count)
    var others: [Slice<UnsafeBufferPointer<UInt8>>] = []
    for (index, cell) in cells.enumerated() {
      let (name, value) = TableLine.pair(cell)
      func isColumn(_ place: Int) -> Bool { values[place] == nil && name.elementsEqual(names[place]) }
      // Nearly always they are in the order of the first row.
      let place = index < names.count && isColumn(index) ? index : names.indices.first(where: isColumn)
      if let place { values[place] = value } else { others.append(cell) }
    }
    return values.map { $0 ?? Slice(base: UnsafeBufferPointer(start: nil, count: 0), bounds: 0..<0) } + others
  }
}

/// The parts of a line of a table.
struct TableLine {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ text: UnsafeBufferPointer<UInt8>) { rest = text[...] }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// What stands before ` -> `; nil if there is none.
  mutating func takeTime() -> Slice<UnsafeBufferPointer<UInt8>>? {
    let arrow = Array(" -> ".utf8)
    var index = rest.startIndex
    while index + arrow.count <= rest.endIndex {
      if rest[index..<(index + arrow.count)].elementsEqual(arrow) {
        let time = rest[rest.startIndex..<index]
        rest = rest[(index + arrow.count)...]
        return time
      }
      index += 1
    }
    return nil
  }

  func fields(_ delimiter: UInt8) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    rest.split(separator: delimiter, omittingEmptySubsequences: false)
  }

  var words: [Slice<UnsafeBufferPointer<UInt8>>] { rest.split(whereSeparator: Self.isSpace) }

  /// The text of a cell without spaces; empty if the line has fewer.
  func field(_ index: Int, _ delimiter: UInt8) -> String {
    let fields = fields(delimiter)
    guard index < fields.count else { return "" }
    return String(decoding: fields[index].filter { !Self.isSpace($0) }, as: UTF8.self)
  }

  /// `temp` and `20.0` of `temp:20.0`. A cell without a colon has no name.
  static func pair(
    _ cell: Slice<UnsafeBufferPointer<UInt8>>
  ) -> (name: Slice<UnsafeBufferPointer<UInt8>>, value: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let colon = cell.firstIndex(of: UInt8(ascii: ":")) else {
      return (cell[cell.startIndex..<cell.startIndex], cell)
    }
    let name = cell[..<colon].drop { isSpace($0) || $0 == UInt8(ascii: "\"") }
    return (name, cell[(colon + 1)...])
  }

  /// The names of cells that are all pairs of a name and a number; nil if one is not.
  func names(_ delimiter: UInt8) -> [[UInt8]]? {
    let cells = delimiter == 0x20 ? words : fields(delimiter)
    guard cells.count > 1 || !rest.contains(0x20) else { return nil }
    let names = cells.compactMap { cell -> [UInt8]? in
      let (name, value) = Self.pair(cell)
      func isOutside(_ byte: UInt8) -> Bool { Self.isSpace(byte) || byte == UInt8(ascii: "\"") }
      let number = value.drop(while: isOutside).reversed().drop(while: isOutside).reversed()
      guard let letter = String(decoding: name, as: UTF8.self).first, letter.isLetter || letter == "_",
        DecimalText(String(decoding: number, as: UTF8.self)) != nil
      else { return nil }
      return Array(name)
    }
    return names.count == cells.count && !names.isEmpty ? names : nil
  }
}
