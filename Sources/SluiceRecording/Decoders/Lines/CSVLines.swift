import SluiceReadings

/// Rows of CSV, with or without a row of names before them.
struct CSVLines: LineGrammar {
  let streams: [StreamDescription]
  private let names: [String]
  private let isSkipped: [Bool]
  private let dialect: CSVDialect
  private let row: PlainRow
  private let time: LineTime?
  private let timeColumn: Int?

  /// - Parameters:
  ///   - sample: The first lines: a row of names, if there is one, and rows.
  ///   - named: The names of the columns, for rows without names before them.
  init(
    _ sample: [[UInt8]], stream: String, named: [String], time wanted: String?, unit: TraceFormat.Unit?
  ) throws(SluiceError) {
    let dialect = Self.dialect(sample)
    let all = sample.map { Self.cells($0, dialect) }
    // A greeting, or a row that begins in its middle, as from a serial port, has another number of cells.
    let begin = all.firstIndex { $0.count == all.last?.count } ?? 0
    let cells = Array(all[begin...])
    let hasHeader = Self.isHeader(sample[begin], dialect)
    let rows = hasHeader ? Array(cells.dropFirst()) : cells
    let count = hasHeader ? cells[0].count : rows.last?.count ?? 0
    if !named.isEmpty, named.count != count {
      throw SluiceError(
        .malformed, "read the lines of", stream,
        because: "they have \(count) cells, but names= has \(named.count) names")
    }
    let names =
      !named.isEmpty ? named : hasHeader ? cells[0] : (1...max(1, count)).map { count == 1 ? "value" : "\($0)" }
    var index: Int?
    if let wanted {
      guard case .one(let found) = NamedColumn(wanted, in: names) else {
        throw SluiceError(
          .malformed, "read the lines of", stream, because: "they have no column \"\(wanted)\"",
          remedy: "give time= with one of their columns: \(names.joined(separator: ", "))")
      }
      index = found
    }
    func first(_ column: Int) -> String? {
      rows.lazy.filter { $0.count == names.count }.map { $0[column] }.first { !$0.isEmpty && !MissingMark.isOne($0) }
    }
    // A column of text is left out.
    let isSkipped = names.indices.map { column in
      column != index && first(column).map { !Self.isNumber($0, dialect) } ?? false
    }
    let time = try index.map { column throws(SluiceError) in
      try LineTime(names[column], unit: unit, sample: first(column).map { [$0] } ?? [], of: stream)
    }
    (self.time, timeColumn) = (time, index)
    let channels = names.indices.filter { $0 != index && !isSkipped[$0] }.map { names[$0] }
    guard (1...Values.capacity).contains(channels.count) else {
      throw SluiceError(
        .malformed, "read the lines of", stream,
        because: channels.isEmpty
          ? "no column of the first lines has numbers"
          : "they have \(channels.count) columns, but \(Values.capacity) is the limit",
        remedy: channels.isEmpty ? "say what they are like with as= or match=" : nil)
    }
    var description = StreamDescription(
      name: stream, channels: channels.map { StreamDescription.Channel(name: $0, unit: ColumnTitle.unit($0)) })
    description.hasForeignColumns = channels.count > 1 || hasHeader || !named.isEmpty
    streams = [description]
    (self.names, self.isSkipped, self.dialect) = (names, isSkipped, dialect)
    let roles = names.indices.map { $0 == index ? CellRole.time : isSkipped[$0] ? .skipped : .value }
    row = PlainRow(TraceCells(roles, time?.times ?? TimeParser(.nanoseconds, of: stream), dialect))
  }

  mutating func parse(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
    guard let start = line.baseAddress, !line.isEmpty else { return .nothing }
    let (received, flags) = (reading.time, reading.flags)
    defer { reading.flags = flags }
    if let next = row.decode(start, into: &reading), next > start + line.count {
      if timeColumn == nil { reading.time = received }
      // A row of empty cells is no reading of a sensor.
      return .reading
    }
    reading.time = received
    return parseCells(line, into: &reading)
  }

  /// A row that is not plain: with quotes, spaces, marks, or a fault.
  private func parseCells(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
    let text = ExactDecimal.trim(line)
    if text.isEmpty || text[0] == UInt8(ascii: "#") { return .nothing }
    let cells = Self.cells(Array(line), dialect)
    guard cells.count == names.count else {
      return .fault(LineFault("it has \(cells.count == 1 ? "1 cell" : "\(cells.count) cells"), not \(names.count)"))
    }
    if cells == names { return .nothing }
    reading.stream = StreamID(0)
    reading.values.removeAll()
    for (column, cell) in cells.enumerated() where !isSkipped[column] {
      var cell = cell
      if column == timeColumn {
        guard let parsed = cell.withUTF8({ time?.time($0) }) else {
          return .fault(LineFault("\(TimeColumn.shown(cell)) is not a time"))
        }
        reading.time = parsed
      } else {
        if dialect.hasDecimalComma { cell = cell.replacing(",", with: ".") }
        guard let value = cell.withUTF8({ LineNumber.value($0) }) else {
          return .fault(LineFault("\(TimeColumn.shown(cell)) is not a number"))
        }
        reading.values.append(value)
      }
    }
    return .reading
  }

  // MARK: Rows

  /// The dialect of the row with the most cells.
  static func dialect(_ sample: [[UInt8]]) -> CSVDialect {
    var best = CSVDialect()
    var most = 0
    for delimiter in CSVDialect.delimiters {
      var dialect = CSVDialect()
      dialect.delimiter = delimiter
      // With semicolons, commas are decimal commas.
      let count = sample.last.map { cells($0, dialect).count } ?? 0
      if count > most || (count > 1 && delimiter == UInt8(ascii: ";")) { (best, most) = (dialect, count) }
    }
    return best
  }

  /// Whether a line has names: no cell of it is a number.
  static func isHeader(_ line: [UInt8], _ dialect: CSVDialect? = nil) -> Bool {
    let dialect = dialect ?? Self.dialect([line])
    let cells = cells(line, dialect)
    return cells.contains { !$0.isEmpty && !MissingMark.isOne($0) }
      && !cells.contains { isNumber($0, dialect) || $0.isEmpty } && Set(cells).count == cells.count
  }

  static func isNumber(_ cell: String, _ dialect: CSVDialect) -> Bool {
    var cell = dialect.hasDecimalComma ? cell.replacing(",", with: ".") : cell
    return cell.withUTF8 { LineNumber.isNumber($0) }
  }

  /// The cells without quotes, and without white space around them.
  static func cells(_ line: [UInt8], _ dialect: CSVDialect) -> [String] {
    var cells: [String] = []
    var cell: [UInt8] = []
    var (isQuoted, index) = (false, 0)
    func end() {
      cells.append(String(decoding: cell.withUnsafeBufferPointer { Array(ExactDecimal.trim($0)) }, as: UTF8.self))
    }
    while index < line.count {
      let byte = line[index]
      if byte == UInt8(ascii: "\"") {
        // Two quotes within quotes are one.
        if isQuoted, index + 1 < line.count, line[index + 1] == byte {
          cell.append(byte)
          index += 1
        } else {
          isQuoted.toggle()
        }
      } else if byte == dialect.delimiter, !isQuoted {
        end()
        cell.removeAll()
      } else {
        cell.append(byte)
      }
      index += 1
    }
    end()
    return cells
  }
}
