import SluiceReadings

/// Rows of CSV, with or without a row of names before them.
struct CSVLines: LineGrammar {
  let streams: [StreamDescription]
  private let names: [String]
  /// Whether they are of a row of names, or were given.
  private let hasNames: Bool
  private let dialect: CSVDialect
  private let roles: [CellRole]
  private let times: TimeParser
  /// The cells in the order of the rows, which a row of the same names may change.
  private var cells: OneStreamCells
  private let ends = CellEnds()
  /// Whether a row of other names has come, whose rows are none of these columns.
  private var isOther = false
  private(set) var hasRounded = false
  private let hasTime: Bool

  /// - Parameters:
  ///   - sample: The first lines: a row of names, if there is one, and rows.
  ///   - named: The names of the columns, for rows without names before them.
  init(
    _ sample: [[UInt8]], stream: String, named: [String], time wanted: String?, unit: TraceFormat.Unit?
  ) throws(SluiceError) {
    let noNumbers = SluiceError(
      .malformed, "read the lines of", stream, because: "no column of the first lines has numbers",
      remedy: "say what they are like with as= or match=")
    // A greeting, or a row that begins in its middle, as from a serial port, is none of the rows.
    guard let found = TableRows(TableText(lines: sample), from: 0, mayBeSpaced: false) else { throw noNumbers }
    var dialect = CSVDialect(found.delimiter ?? UInt8(ascii: ","))
    let rows = found.rows.map { found[$0] }
    dialect.look(at: rows)
    let (header, count) = (found.header.map { found[$0.line] } ?? [], found.count)
    let hasHeader = header.count == count && Self.areNames(header, dialect)
    if !named.isEmpty, named.count != count {
      throw SluiceError(
        .malformed, "read the lines of", stream,
        because: "they have \(count) cells, but names= has \(named.count) names")
    }
    let names =
      !named.isEmpty ? named : hasHeader ? header : (1...count).map { count == 1 ? "value" : "\($0)" }
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
      rows.lazy.map { $0[column] }.first { !$0.isEmpty && !MissingMark.isOne($0) }
    }
    // A column of text is left out.
    let isSkipped = names.indices.map { column in
      column != index && first(column).map { !Self.isNumber($0, dialect) } ?? false
    }
    let time = try index.map { column throws(SluiceError) in
      try LineTime(names[column], unit: unit, sample: first(column).map { [$0] } ?? [], of: stream)
    }
    hasTime = time != nil
    let channels = names.indices.filter { $0 != index && !isSkipped[$0] }.map { names[$0] }
    guard !channels.isEmpty else { throw noNumbers }
    guard channels.count <= Values.capacity else {
      throw SluiceError(
        .malformed, "read the lines of", stream,
        because: "they have \(channels.count) columns, but \(Values.capacity) is the limit")
    }
    var description = StreamDescription(
      name: stream,
      channels: ColumnTitle.distinct(channels).map { StreamDescription.Channel(name: $0, unit: ColumnTitle.unit($0)) })
    description.hasForeignColumns = channels.count > 1 || hasHeader || !named.isEmpty
    streams = [description]
    (self.names, self.dialect) = (names, dialect)
    hasNames = hasHeader || !named.isEmpty
    roles = names.indices.map { $0 == index ? CellRole.time : isSkipped[$0] ? .skipped : .value }
    times = time?.times ?? TimeParser(.nanoseconds, of: stream)
    self.cells = Self.cells(roles, Array(names.indices), times, dialect)
  }

  /// - Parameter columns: By cell of a row, its column.
  private static func cells(
    _ roles: [CellRole], _ columns: [Int], _ times: TimeParser, _ dialect: CSVDialect
  ) -> OneStreamCells {
    let channels = columns.filter { roles[$0] == .value }.map { column in roles[..<column].count { $0 == .value } }
    return OneStreamCells(
      TraceCells(columns.map { roles[$0] }, times, dialect, takesMarks: true), channels: channels)
  }

  mutating func parse(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
    guard let start = line.baseAddress, !line.isEmpty else { return .nothing }
    let (received, flags) = (reading.time, reading.flags)
    defer { reading.flags = flags }
    let isPlain =
      !isOther
      && withUnsafeMutablePointer(to: &reading) { target in
        let (count, next) = cells.decode(start, into: UnsafeMutableBufferPointer(start: target, count: 1))
        return count == 1 && next > start + line.count
      }
    if !isPlain || !hasTime { reading.time = received }
    return isPlain ? .reading : parseCells(line, into: &reading)
  }

  /// A row that is not plain: with quotes, spaces, marks, or a fault.
  private mutating func parseCells(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
    let text = ExactDecimal.trim(line)
    if text.isEmpty || text[0] == UInt8(ascii: "#") { return .nothing }
    let texts = CSVCells.texts(line, dialect.delimiter)
    switch take(names: texts) {
    case .ofThese: return .nothing
    case .ofOthers: return .fault(LineFault("it is a row of other column names"))
    case .none: break
    }
    guard !isOther else { return .fault(LineFault("it follows a row of other column names")) }
    guard texts.count == names.count else {
      return .fault(LineFault("it has \(texts.count == 1 ? "1 cell" : "\(texts.count) cells"), not \(names.count)"))
    }
    let received = reading.time
    do throws(CellFault) {
      var notes = RowNotes()
      reading = try cells.reading(ends.split(line, dialect), notes: &notes)
      hasRounded = hasRounded || notes.isRounded
      if !hasTime { reading.time = received }
    } catch {
      return .fault(LineFault(error.cause))
    }
    return .reading
  }

  /// What a row of cells is the header of.
  private enum NameRow { case ofThese, ofOthers, none }

  /// Takes a row of names, as another program writes it when it begins. The same names may have another order.
  ///
  /// The rows behind other names would come under wrong ones, without a word. But a damaged row, or a text of a device
  /// such as `boot,ok`, must not end all that follows. So other names are taken as such only if more than half of them
  /// are known, or if none is known and one has a unit.
  private mutating func take(names others: [String]) -> NameRow {
    guard Self.areNames(others, dialect) else { return .none }
    if others == names {
      arrange(Array(names.indices))
      return .ofThese
    }
    // A value that is missing is one of a row.
    guard hasNames, Set(others).count == others.count, !others.contains(where: { MissingMark.isOne($0) }) else {
      return .none
    }
    let places = others.compactMap { names.firstIndex(of: $0) }
    if others.count == names.count, Set(others) == Set(names) {
      arrange(others.compactMap { names.firstIndex(of: $0) })
      return .ofThese
    }
    guard others.count > 1, others.allSatisfy({ names.contains($0) || Self.isName($0) }) else { return .none }
    if places.isEmpty {
      guard others.count == names.count, others.contains(where: { ColumnTitle.unit($0) != nil }) else { return .none }
    } else {
      // A column of text may have any word. Names that are all known are the beginning of the row, which is torn.
      guard places.contains(where: { roles[$0] != .skipped }), places.count < others.count,
        2 * places.count >= others.count
      else { return .none }
    }
    isOther = true
    return .ofOthers
  }

  /// - Parameter columns: By cell of the next rows, its column.
  private mutating func arrange(_ columns: [Int]) {
    cells = Self.cells(roles, columns, times, dialect)
    isOther = false
  }

  /// Whether a word may be the name of a column, and not a damaged text.
  private static func isName(_ cell: String) -> Bool {
    guard cell.first?.isLetter ?? false, !cell.unicodeScalars.contains(where: { $0 == "\u{fffd}" })
    else { return false }
    return ColumnTitle.withoutUnit(cell).allSatisfy { $0.isLetter || $0.isNumber || "_ ()[].-".contains($0) }
  }

  // MARK: Rows

  private static func areNames(_ cells: [String], _ dialect: CSVDialect) -> Bool {
    cells.contains { !MissingMark.isOne($0) } && !cells.contains { $0.isEmpty || isNumber($0, dialect) }
      // A line of one mark again and again has no names, but two columns may have one name.
      && (cells.count == 1 || Set(cells).count > 1 || isName(cells[0]))
  }

  private static func isNumber(_ cell: String, _ dialect: CSVDialect) -> Bool {
    !cell.isEmpty && !MissingMark.isOne(cell) && number(cell, dialect)?.value != nil
  }

  /// The number of a cell, which is missing for an empty one and for a mark such as `nan`; nil for text.
  private static func number(_ cell: String, _ dialect: CSVDialect) -> NearestDecimal? {
    if cell.isEmpty || MissingMark.isOne(cell) { return .missing }
    return Array(cell.utf8).withUnsafeBufferPointer { dialect.number($0) }
  }
}
