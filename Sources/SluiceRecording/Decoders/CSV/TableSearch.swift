import SluiceReadings

/// Finds the shape of a table in its first lines.
struct TableSearch {
  private let text: TableText
  private let format: TraceFormat
  var shape = TableShape()
  var lines: [String] { text.texts }

  static func shape(_ text: TableText, _ format: TraceFormat) -> TableShape {
    var search = TableSearch(text, format)
    search.find()
    return search.shape
  }

  private init(_ text: TableText, _ format: TraceFormat) { (self.text, self.format) = (text, format) }

  private mutating func find() {
    shape.skipped = format.skippedLines ?? 0
    if let period = format.period { shape.clock = .period(period) }
    if format.skippedLines == nil, findInstrument() { return }
    guard let first = lines.indices.dropFirst(shape.skipped).first(where: text.isShown) else { return finishPeriod() }
    if !lines[first].utf8.elementsEqual(text.lines[first]) {
      shape.notices.append("its line \(first + 1) is not UTF-8; each wrong byte in a name is read as \u{FFFD}")
    }
    // What is read as it is must stay so: a recording.
    if text.lines[first].starts(with: "time_ns,".utf8) { return finishPeriod() }
    if findPairs(lines[first], text.lines[first]) { return }
    findRows(from: first)
    finishPeriod()
  }

  // MARK: Lines

  func cells(_ line: String, _ delimiter: UInt8 = UInt8(ascii: ",")) -> [String] {
    CSVCells.texts(line.utf8, delimiter)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, " \t\"".contains(first) { text.removeFirst() }
    while let last = text.last, " \t\"".contains(last) { text.removeLast() }
    return String(text)
  }

  // MARK: Rows

  /// Finds the rows of values, and what stands before them.
  /// - Parameter first: The first line with a text.
  private mutating func findRows(from first: Int) {
    shape.delimiter = text.lines[first].withUnsafeBufferPointer { CSVDialect(header: $0).delimiter }
    guard let rows = TableRows(text, from: first), let row = rows.rows.first, rows.count > 1 else { return }
    let isSpaced = rows.delimiter == nil
    guard let found = header(of: rows) else {
      if isSpaced, row == first { findSpaces() } else if let delimiter = rows.delimiter { shape.delimiter = delimiter }
      return
    }
    let (header, units) = found
    let isHeader = rows[first].count == rows.count && hasTime(rows[first])
    let isSkipped = header > first && format.skippedLines == nil && !isHeader
    guard header == first || isSkipped else { return }
    if let delimiter = rows.delimiter { shape.delimiter = delimiter } else { findSpaces() }
    if isSkipped {
      let number = header - first
      shape.notices.append(
        "\(number) line\(number == 1 ? "" : "s") before its header \(number == 1 ? "is" : "are") left out")
    }
    var titles = rows[header]
    if let units {
      shape.unitRows = row - header - 1
      titles = merged(titles, units.cells)
      // A delimiter at the end of each row would be a column without a name.
      while titles.count > 2, titles.last == "" { titles.removeLast() }
      if titles.count < rows[header].count { shape.taken = 0..<titles.count }
      shape.notices.append("its line \(units.row + 1) has the units of the columns")
    }
    guard isSkipped || units != nil || isSpaced else { return }
    shape.skipped = header
    if units != nil || isSpaced {
      shape.header = titles.map(quoted).joined(separator: String(UnicodeScalar(shape.delimiter)))
    } else if case .period = shape.clock {
      shape.header = lines[header]
    }
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

  func hasTime(_ names: [String]) -> Bool { names.contains { TimeNames.isUsual($0) } }

  /// The header above the rows, and the row of units between them.
  private func header(of rows: TableRows) -> (header: Int, units: (row: Int, cells: [String])?)? {
    guard let row = rows.rows.first, var found = rows.header?.line, !rows.hasValues(before: found) else { return nil }
    let cells = rows[found]
    // A delimiter at the end of the header, or of rows, is a cell without a name.
    let isWider = cells.count == rows.count + 1 && cells.last == ""
    let isNarrower = cells.count == rows.count - 1 && rows[row].last == ""
    guard cells.count == rows.count || isWider || isNarrower else { return nil }
    // Rows of units, and of how values were made, stand between the names and the values.
    var units: (row: Int, cells: [String])?
    for line in (0..<found).reversed() where !rows[line].isEmpty {
      let (cells, names) = (rows[found], rows[line])
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

  private mutating func findSpaces() {
    (shape.cells, shape.delimiter) = (.spaces, UInt8(ascii: "\t"))
    shape.notices.append("its columns are separated by spaces")
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
    for delimiter in CSVDialect.delimiters + [UInt8(ascii: " ")] {
      let cells = text.split(
        separator: Character(UnicodeScalar(delimiter)), omittingEmptySubsequences: delimiter == UInt8(ascii: " ")
      ).map(Self.trimmed)
      let keys = cells.compactMap(Self.key)
      guard !keys.isEmpty, keys.count == cells.count, keys.count > 1 || !text.contains(" ") else { continue }
      // The names of the rows are compared as bytes.
      let own = TableLine.names(bytes, delimiter, hasArrow: shape.hasArrow)
      guard own.count == keys.count else { continue }
      shape.cells = .pairs(delimiter: delimiter, names: own)
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
