import SluiceReadings

/// Finds the shape of a table in its first lines.
struct TableSearch {
  private let text: TableText
  /// The name of the file in errors.
  private let name: String
  private let format: TraceFormat
  /// Whether the names of the columns are in the rows, so that they are not those that the user gives.
  var isNamedInRows = false
  var shape = TableShape()
  private var rows: TableRows?
  var lines: [String] { text.texts }

  /// - Parameters:
  ///   - name: The name of the file in errors.
  ///   - isDescribed: Whether it is a recording with metadata, which has a header and rows.
  static func shape(
    _ text: TableText, of name: String, _ format: TraceFormat, isDescribed: Bool = false
  ) throws(SluiceError) -> TableShape {
    var search = TableSearch(text, name, isDescribed ? TraceFormat() : format)
    try search.find(isDescribed: isDescribed)
    return search.shape
  }

  private init(_ text: TableText, _ name: String, _ format: TraceFormat) {
    (self.text, self.name, self.format) = (text, name, format)
  }

  private mutating func find(isDescribed: Bool) throws(SluiceError) {
    let start = format.skippedLines ?? 0
    shape.skipped = start
    if let period = format.period { shape.form.clock = .period(period) }
    let first = lines.indices.dropFirst(start).first(where: text.isShown)
    let isFound = !isDescribed && format.skippedLines == nil && findInstrument()
    if let first, !isFound, !isDescribed {
      if !lines[first].utf8.elementsEqual(text.lines[first]) {
        shape.notices.append("its line \(first + 1) is not UTF-8; each wrong byte in a name is read as \u{FFFD}")
      }
      // What is read as it is must stay so: a recording.
      if !text.isRecording(first), !findPairs(text.lines[first]) { findRows(from: first) }
      if isNamedInRows { shape.skipped = first }
    }
    let isBegun = !shape.names.isEmpty
    if !isBegun { try findNames(from: start, first) }
    let times = format.period == nil ? [] : ["time (ns)"]
    shape.names = times + shape.names
    if !format.columnNames.isEmpty, !isNamedInRows { try takeNames(times, isBegun: isBegun) }
    guard shape.names.count > TraceColumns.limit else { return }
    throw SluiceError(
      .unsupported, "read", name,
      because: "it has \(shape.names.count) columns, but \(TraceColumns.limit) is the limit")
  }

  // MARK: Lines

  func cells(_ line: String, _ delimiter: UInt8 = UInt8(ascii: ",")) -> [String] {
    CSVCells.texts(line.utf8, delimiter)
  }

  // MARK: Rows

  /// Finds the rows of values, and what stands before them.
  /// - Parameter first: The first line with a text.
  private mutating func findRows(from first: Int) {
    rows = TableRows(text, from: first)
    guard let rows, let row = rows.rows.first, rows.count > 1 else { return }
    let isSpaced = rows.delimiter == nil
    guard let (header, units) = header(of: rows) else {
      if isSpaced, row == first { findSpaces() }
      return
    }
    let isHeader = rows[first].count == rows.count && hasTime(rows[first])
    let isSkipped = header > first && format.skippedLines == nil && !isHeader
    guard isSkipped || header == first && (units != nil || isSpaced) else { return }
    if let delimiter = rows.delimiter { shape.delimiter = delimiter } else { findSpaces() }
    if isSkipped {
      let number = header - first
      shape.notices.append(
        "\(number) line\(number == 1 ? "" : "s") before its header \(number == 1 ? "is" : "are") left out")
    }
    shape.skipped = units == nil ? text.end(of: header) : row
    shape.names = rows[header]
    guard let units else { return }
    shape.names = merged(shape.names, units.cells)
    // A delimiter at the end of each row would be a column without a name.
    while shape.names.count > 2, shape.names.last == "" { shape.names.removeLast() }
    if shape.names.count < rows[header].count { shape.form.taken = 0..<shape.names.count }
    shape.notices.append("its line \(units.row + 1) has the units of the columns")
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
    let time = hasTime(names) ? nil : units.firstIndex { TableUnits.isOfTime($0) }
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
    (shape.form.cells, shape.delimiter) = (.spaces, UInt8(ascii: "\t"))
    shape.notices.append("its columns are separated by spaces")
  }

  /// `temp:20.0,hum:50.0`, and rows with a time before an arrow.
  private mutating func findPairs(_ row: [UInt8]) -> Bool {
    let given = format.columnNames
    let (cells, hasArrow, names) = row.withUnsafeBufferPointer { row -> (RowForm.Cells, Bool, [String]) in
      let arrow = RowForm.arrow(in: row).flatMap { arrow in
        TimeColumn.isTimeText(String(decoding: row[..<arrow.lowerBound], as: UTF8.self)) ? arrow : nil
      }
      let (hasArrow, line) = (arrow != nil, row[(arrow?.upperBound ?? 0)...])
      for delimiter in CSVDialect.delimiters + [UInt8(ascii: " ")] {
        guard let names = RowForm.names(line, delimiter) else { continue }
        return (
          .pairs(delimiter: delimiter, names: names), hasArrow, names.map { String(decoding: $0, as: UTF8.self) }
        )
      }
      let values = RowForm.fields(line, UInt8(ascii: ","))
      let numbers = values.count == 1 ? ["value"] : values.indices.map { "\($0 + 1)" }
      return (.delimiters, hasArrow, given.isEmpty ? numbers : given)
    }
    guard cells != .delimiters || hasArrow else { return false }
    (shape.form.cells, shape.form.hasArrow, isNamedInRows) = (cells, hasArrow, true)
    shape.names = (hasArrow ? ["time"] : []) + names
    if cells != .delimiters { shape.notices.append("the cells of its rows have their names before a colon") }
    return true
  }

  // MARK: Names

  /// Takes the names in the first line, or in the comment before it.
  private mutating func findNames(from start: Int, _ first: Int?) throws(SluiceError) {
    guard let first else {
      guard format.columnNames.isEmpty else { return }
      throw SluiceError(
        .malformed, "read", name, because: "it is empty", remedy: "a trace begins with a row of column names")
    }
    shape.skipped = first
    let above = text.lines[start..<first]
    let comment = above.last { $0.first == UInt8(ascii: "#") && format.columnNames.isEmpty }?.dropFirst() ?? []
    let isComment = !comment.isEmpty && rows?.rows.first == first
    let header = isComment ? Array(comment) : text.lines[first]
    if shape.form.cells == .delimiters {
      shape.delimiter = header.withUnsafeBufferPointer { CSVDialect(header: $0, rows: rows?.delimiter).delimiter }
      if start < first, text.isDelimiterOfExcel(start) { shape.delimiter = text.lines[start][4] }
    }
    let written = try header.withUnsafeBufferPointer { header in
      Result { () throws(SluiceError) in try names(header) }
    }.get()
    if isComment {
      shape.names = written
      // A column may have the name `#`.
      if CSVDialect.delimiters.contains(header[0]) { shape.names[0] = "#" }
    } else if format.columnNames.isEmpty {
      let cells = shape.rows(of: text, most: 1).first ?? []
      shape.isWithoutHeader = isReading(cells)
      if !shape.isWithoutHeader { shape.skipped = text.end(of: first) }
      shape.names = shape.isWithoutHeader ? cells.indices.map { "\($0 + 1)" } : written
      if shape.isWithoutHeader, format.period != nil { shape.names.removeFirst() }
    }
  }

  /// The names as they are written.
  private func names(_ header: UnsafeBufferPointer<UInt8>) throws(SluiceError) -> [String] {
    let ends = CellEnds()
    defer { withExtendedLifetime(ends) {} }
    do throws(CellFault) {
      let row = try ends.split(header, CSVDialect(shape.delimiter))
      guard row.hasStrayReturn else { return (0..<row.count).map { row.text($0) } }
    } catch {
      throw SluiceError(
        .malformed, "read", name,
        because: "line \(shape.skipped + 1), column \(error.column + 1): \(error.cause)", remedy: CSVFile.skipRemedy)
    }
    throw CSVFile.strayReturn(in: name)
  }

  /// Takes the names that the user gives. A row of names is left out.
  /// - Parameters:
  ///   - times: The name of the time of rows that have none.
  ///   - isBegun: Whether the rows are known to begin behind the names.
  private mutating func takeNames(_ times: [String], isBegun: Bool) throws(SluiceError) {
    shape.names = times + format.columnNames
    guard let row = shape.rows(of: text, most: 1).first else { return }
    // Its rows may end with a delimiter.
    if row.count == shape.names.count + 1, row.last == "" { shape.names.append("") }
    let (count, given) = (row.count - times.count, shape.names.count - times.count)
    guard count == given else {
      throw SluiceError(
        .usage, "read", name,
        because:
          "its first row has \(count) cell\(count == 1 ? "" : "s"), but \(given) name\(given == 1 ? " is" : "s are") given",
        remedy: "give a name for each column with --column-names")
    }
    // A row with a number or a time is a reading, also if it has text. If it is a row of names after all, it cannot be read,
    // which is said; a reading that is taken for names would be lost in silence.
    let cells = row.dropFirst(times.count)
    if !isBegun, !cells.contains(where: { DecimalText($0) != nil || TimeColumn.isTimeText($0) }),
      cells.contains(where: { !$0.isEmpty && !MissingMark.isOne($0) })
    {
      shape.skipped = text.end(of: shape.skipped)
    }
  }

  /// Whether the first row is not a header: it has a time in the column of `--time-column`, and numbers.
  private func isReading(_ cells: [String]) -> Bool {
    let isPeriod = format.period != nil
    guard let time = isPeriod ? 0 : format.timeColumn.flatMap(NamedColumn.place), cells.indices.contains(time) else {
      return false
    }
    // Some programs number their columns from 0.
    guard isPeriod || cells != cells.indices.map({ "\($0)" }) else { return false }
    let isNumber = DecimalText(cells[time]) != nil
    // No name of a column is a date, whatever else is in the row.
    if !isNumber, TimeColumn.isTime(cells[time]) || isWritten(cells[time]) { return true }
    let others = cells.enumerated().filter { $0.offset != time }.map(\.element)
    return isNumber && others.contains { DecimalText($0) != nil }
      && others.allSatisfy {
        $0.isEmpty || MissingMark.isOne($0) || DecimalText($0) != nil || isPeriod && TimeColumn.isTimeText($0)
      }
  }

  /// Whether a cell is a time as `--time-format` says it.
  private func isWritten(_ cell: String) -> Bool {
    guard let text = format.timeFormat, let pattern = try? TimePattern(text) else { return false }
    return Array(cell.utf8).withUnsafeBufferPointer { (try? pattern.time($0)) != nil }
  }
}
