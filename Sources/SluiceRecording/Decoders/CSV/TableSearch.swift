import SluiceReadings

/// Finds the shape of a table in its first lines.
struct TableSearch {

  let lines: [String]
  /// The lines as they are, because a line that is not UTF-8 is another one as a text.
  private let bytes: [[UInt8]]
  private let format: TraceFormat
  var shape = TableShape()

  /// The first bytes of a file that are examined.
  static let limit = 64 << 10
  private static let delimiters: [Character] = [",", ";", "\t"]

  /// - Parameters:
  ///   - beginning: The first bytes; empty if they cannot be seen without waiting.
  ///   - isWhole: Whether these are all.
  static func shape(_ beginning: [UInt8], isWhole: Bool, _ format: TraceFormat) -> TableShape {
    var search = TableSearch(beginning, isWhole: isWhole, format)
    search.find()
    return search.shape
  }

  private init(_ beginning: [UInt8], isWhole: Bool, _ format: TraceFormat) {
    let text = beginning.starts(with: [0xef, 0xbb, 0xbf]) ? beginning[3...] : beginning[...]
    var bytes = text.split(separator: UInt8(ascii: "\n"), maxSplits: 400, omittingEmptySubsequences: false).map {
      line in Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
    if !isWhole || bytes.last == [] { bytes = bytes.dropLast() }
    bytes = CSVCells.joined(bytes)
    (self.lines, self.bytes, self.format) = (bytes.map { String(decoding: $0, as: UTF8.self) }, bytes, format)
  }

  private mutating func find() {
    shape.skipped = format.skippedLines ?? 0
    if let period = format.period { shape.clock = .period(period) }
    if format.skippedLines == nil, findInstrument() { return }
    findRows()
  }

  // MARK: Lines

  func cells(_ line: String, _ delimiter: Character) -> [String] {
    CSVCells.texts(line.utf8, Self.bytes(delimiter))
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, " \t\"".contains(first) { text.removeFirst() }
    while let last = text.last, " \t\"".contains(last) { text.removeLast() }
    return String(text)
  }

  /// A number, a time or a mark of a missing value.
  private static func isValue(_ cell: String) -> Bool {
    cell.isEmpty || DecimalText(cell) != nil || MissingMark.isOne(cell) || TimeColumn.isTimeText(cell)
  }

  /// Whether a line is a row of values, and how many it has.
  private func values(_ line: String, _ delimiter: Character) -> Int? {
    guard line.contains(where: \.isNumber) else { return nil }
    let cells = cells(line, delimiter)
    return cells.allSatisfy(Self.isValue) ? cells.count : nil
  }

  private static func bytes(_ delimiter: Character) -> UInt8 { delimiter.asciiValue ?? UInt8(ascii: ",") }

  // MARK: Rows

  /// Finds the first row of values, and what stands before it.
  private mutating func findRows() {
    let start = min(shape.skipped, lines.count)
    let firstRow = lines[start...].firstIndex { !$0.isEmpty && !$0.hasPrefix("#") }
    let first = firstRow.map { lines[$0] } ?? ""
    if let firstRow, !first.utf8.elementsEqual(bytes[firstRow]) {
      shape.notices.append("its line \(firstRow + 1) is not UTF-8; each wrong byte in a name is read as \u{FFFD}")
    }
    // What is read as it is must stay so: a recording, and a file whose first line has the name of a time.
    if let firstRow, findPairs(first, bytes[firstRow]) { return }
    guard let (row, delimiter) = self.firstRow(from: start) else {
      shape.delimiter = Array(first.utf8).withUnsafeBufferPointer { CSVDialect(header: $0).delimiter }
      if findSpaces(from: start) { return }
      return finishPeriod()
    }
    shape.delimiter = Self.bytes(delimiter)
    let count = cells(lines[row], delimiter).count
    guard let (header, units) = header(before: row, from: start, delimiter, count) else {
      return finishPeriod()
    }
    let names = cells(lines[header], delimiter)
    let firstLine = lines[start...].firstIndex { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("sep=") } ?? start
    let isHeader = cells(lines[firstLine], delimiter).count == count && hasTime(cells(lines[firstLine], delimiter))
    if header > firstLine, format.skippedLines == nil, !isHeader {
      shape.skipped = header
      let number = header - firstLine
      shape.notices.append(
        "\(number) line\(number == 1 ? "" : "s") before its header \(number == 1 ? "is" : "are") left out")
    } else if header != firstLine {
      return finishPeriod()
    }
    if let units {
      shape.skipped = header
      shape.unitRows = row - header - 1
      var titles = merged(names, units.cells)
      // A delimiter at the end of each row would be a column without a name.
      while titles.count > 2, titles.last == "" { titles.removeLast() }
      if titles.count < names.count { shape.taken = 0..<titles.count }
      shape.header = titles.map(quoted).joined(separator: String(delimiter))
      shape.notices.append("its line \(units.row + 1) has the units of the columns")
    } else if shape.skipped > 0, case .period = shape.clock {
      shape.header = lines[header]
    }
    finishPeriod()
  }

  /// A name with the delimiter is quoted.
  private func quoted(_ name: String) -> String {
    name.utf8.contains(shape.delimiter) || name.contains("\"") || name.contains("\n")
      ? "\"" + name.replacingQuotes + "\"" : name
  }

  /// Adds the column of the time to a header.
  private mutating func finishPeriod() {
    guard case .period = shape.clock else { return }
    let first = lines.dropFirst(shape.skipped).first { !$0.isEmpty && !$0.hasPrefix("#") }
    shape.keepsComments = first.map { !Array($0.utf8).withUnsafeBufferPointer(TableLine.hasNumbers) } ?? false
    if let header = shape.header { shape.header = "time (ns)" + String(UnicodeScalar(shape.delimiter)) + header }
    if !format.columnNames.isEmpty { shape.names = ["time (ns)"] + format.columnNames }
  }

  /// The first row of values: the row after it has as many, or the row above it has names, one of them that of a time.
  private func firstRow(from start: Int) -> (Int, Character)? {
    var doubtful: Set<Int> = []
    for row in start..<max(start, lines.count) {
      let counts = Self.delimiters.map { delimiter in (delimiter, values(lines[row], delimiter) ?? 0) }
      guard let best = counts.max(by: { $0.1 < $1.1 }), best.1 > 1 else { continue }
      let next = row + 1 < lines.count ? values(lines[row + 1], best.0) : best.1
      let isRow =
        next == best.1 || next == nil && lines[row + 1].isEmpty || hasNames(above: row, from: start, best.0, best.1)
      // A row that cannot be read after it would be taken for the header.
      if isRow { return doubtful.contains(best.1) ? nil : (row, best.0) }
      doubtful.insert(best.1)
    }
    return nil
  }

  private func hasNames(above row: Int, from start: Int, _ delimiter: Character, _ count: Int) -> Bool {
    (start..<row).reversed().prefix(3).contains { line in
      let names = cells(lines[line], delimiter)
      return abs(names.count - count) <= 1 && hasTime(names)
    }
  }

  func hasTime(_ names: [String]) -> Bool { names.contains { TimeNames.isUsual($0) } }

  /// The header above a row, and the row of units between them.
  private func header(
    before row: Int, from start: Int, _ delimiter: Character, _ count: Int
  ) -> (header: Int, units: (row: Int, cells: [String])?)? {
    let above = (start..<row).reversed().filter { !lines[$0].isEmpty }
    guard let last = above.first else { return nil }
    let cells = cells(lines[last], delimiter)
    // A delimiter at the end of the header, or of rows, is a cell without a name.
    let isWider = cells.count == count + 1 && cells.last == ""
    let isNarrower = cells.count == count - 1 && self.cells(lines[row], delimiter).last == ""
    // No name is a time of day, as in `"Time","14:00:00"`.
    let hasTimes = cells.contains { $0.contains(":") && TimeColumn.isTimeText($0) }
    guard cells.count == count || isWider || isNarrower, !lines[last].hasPrefix("#"), !hasTimes else { return nil }
    // Rows of units, and of how values were made, stand between the names and the values.
    var units: (row: Int, cells: [String])?
    var found = last
    for line in above.dropFirst() {
      let cells = self.cells(lines[found], delimiter)
      let names = self.cells(lines[line], delimiter)
      let isUnits =
        (!hasTime(cells) || hasTime(names)) && cells.allSatisfy { $0.isEmpty || TableUnits.isUnit($0) }
        && cells.contains { TableUnits.isUnit($0) }
      guard isUnits, names.count == cells.count else { break }
      (units, found) = ((found, cells), line)
    }
    return (found, units)
  }

  /// `temp (degC)` of `temp` and `degC`; a column with a unit of time and no name of a time is the time.
  private func merged(_ names: [String], _ units: [String]) -> [String] {
    let hasTime = names.contains { TimeNames.isUsual($0) }
    let time = hasTime ? nil : units.firstIndex { TableUnits.isOfTime($0) }
    return zip(names, units).enumerated().map { index, pair in
      let (name, unit) = pair
      guard !unit.isEmpty else { return name }
      let plain = TableUnits.withoutBrackets(unit)
      if index == time { return "time (\(plain))" }
      return ColumnTitle.unit(name) == nil ? "\(name) (\(plain))" : name
    }
  }

  // MARK: Spaces, pairs and arrows

  private static func words(_ line: String) -> [String] {
    line.split { $0 == " " || $0 == "\t" }.map(String.init)
  }

  /// Columns that are separated by spaces.
  private mutating func findSpaces(from start: Int) -> Bool {
    let shown = (start..<lines.count).filter { !lines[$0].isEmpty }
    guard !shown.contains(where: { line in Self.delimiters.contains { lines[line].contains($0) } }) else {
      return false
    }
    let words = shown.map { Self.words(lines[$0]) }
    // All lines below the first have as many words, one of which at least is a value.
    let isTable =
      words.count > 1 && words[0].count > 1 && !words[0].contains(where: Self.isValue)
      && words.dropFirst().allSatisfy { $0.count == words[0].count && $0.contains(where: Self.isValue) }
    guard
      let row = isTable
        ? shown[1]
        : shown.first(where: { line in
          let words = Self.words(lines[line])
          return words.count > 1 && words.allSatisfy(Self.isValue)
        })
    else { return false }
    let count = Self.words(lines[row]).count
    if shown.first == row {
      (shape.cells, shape.delimiter) = (.spaces, UInt8(ascii: "\t"))
      shape.notices.append("its columns are separated by spaces")
      finishPeriod()
      return true
    }
    guard let header = shown.last(where: { $0 < row }), Self.words(lines[header]).count == count else { return false }
    (shape.cells, shape.delimiter, shape.skipped) = (.spaces, UInt8(ascii: "\t"), header)
    if header > start { shape.notices.append("\(header - start) lines before its header are left out") }
    shape.header = Self.words(lines[header]).joined(separator: "\t")
    shape.notices.append("its columns are separated by spaces")
    finishPeriod()
    return true
  }

  /// `temp:20.0,hum:50.0`, and rows with a time before an arrow.
  /// - Parameter bytes: The bytes of the line.
  private mutating func findPairs(_ first: String, _ bytes: [UInt8]) -> Bool {
    var text = first[...]
    var names: [String] = []
    if let arrow = first.firstRange(of: " -> "), TimeColumn.isTimeText(String(first[..<arrow.lowerBound])) {
      (shape.hasArrow, text) = (true, first[arrow.upperBound...])
      names = ["time"]
    }
    for delimiter in [",", ";", "\t", " "] as [Character] {
      let cells = text.split(separator: delimiter, omittingEmptySubsequences: delimiter == " ").map(Self.trimmed)
      let keys = cells.compactMap(Self.key)
      guard !keys.isEmpty, keys.count == cells.count, keys.count > 1 || !text.contains(" ") else { continue }
      // The names of the rows are compared as bytes.
      let own = TableLine.names(bytes, Self.bytes(delimiter), hasArrow: shape.hasArrow)
      guard own.count == keys.count else { continue }
      shape.cells = .pairs(delimiter: Self.bytes(delimiter), names: own)
      shape.delimiter = UInt8(ascii: ",")
      shape.names = names + keys
      shape.notices.append("the cells of its rows have their names before a colon")
      addPeriod()
      return true
    }
    guard shape.hasArrow else { return false }
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
    shape.names = names + (values.count == 1 ? ["value"] : values.indices.map { "\($0 + 1)" })
    if !format.columnNames.isEmpty { shape.names = names + format.columnNames }
    return true
  }

  /// The name before the colon of a cell with a number.
  private static func key(_ cell: String) -> String? {
    guard let colon = cell.firstIndex(of: ":") else { return nil }
    let name = String(cell[..<colon])
    guard let letter = name.first, letter.isLetter || letter == "_",
      DecimalText(trimmed(cell[cell.index(after: colon)...])) != nil
    else { return nil }
    return name
  }

  private mutating func addPeriod() {
    if case .period = shape.clock { shape.names = ["time (ns)"] + shape.names }
  }
}

extension String {
  fileprivate var replacingQuotes: String {
    split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
  }
}
