import SluiceReadings

/// Makes readings from the rows of one layout. One thread at a time uses it.
protocol TraceRows {
  var list: StreamList { get }
  /// Whether there are readings from rows that were already read.
  var hasPending: Bool { get }
  /// Decodes rows up to one that needs ``readRow(_:into:)``.
  /// - Returns: How many readings there are.
  mutating func readPlain(_ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>) -> Int
  /// Decodes rows of any kind until there is a reading.
  /// - Parameter target: A buffer for at least one reading.
  /// - Returns: How many readings there are; 0 at the end.
  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int
}

extension TraceRows {
  var hasPending: Bool { false }
}

/// Reads the cells of rows that are not a ``PlainRow``.
struct TraceCells {
  let roles: CellRoles
  let times: TimeParser
  let dialect: CSVDialect
  private let form: RowForm
  /// Whether a ``MissingMark`` is a missing value. In a recording it is an error, because such text is a sign of
  /// damage.
  let takesMarks: Bool
  /// Columns in which text is left out, because the first rows have no value in them.
  let unseen: Set<Int>
  /// The first column of the time, for errors.
  let timeIndex: Int

  var columns: Int { roles.count }

  init(
    _ roles: [CellRole], _ times: TimeParser, _ dialect: CSVDialect, _ form: RowForm = RowForm(),
    takesMarks: Bool = false, unseen: Set<Int> = []
  ) {
    (self.unseen, self.form) = (unseen, form)
    self.roles = CellRoles(roles.map { $0 == .time && times.unit == .nanoseconds ? .nanoseconds : $0 })
    self.times = times
    self.dialect = dialect
    self.takesMarks = takesMarks
    timeIndex = roles.firstIndex(where: \.isTime) ?? 0
  }

  func isValue(_ column: Int) -> Bool { roles.byColumn[column] == .value }

  /// The reading of a row, whose values are those of one stream.
  func reading(_ row: CSVRow, notes: inout RowNotes) throws(CellFault) -> Reading {
    try check(row)
    var reading = Reading(time: try time(row), stream: StreamID(0), values: Values())
    for index in 0..<columns where isValue(index) {
      reading.values.append(try value(row, index, notes: &notes))
    }
    return reading
  }

  func check(_ row: CSVRow) throws(CellFault) {
    // Where rows have no times, nothing else tells it from a row.
    if form.clock != .cells, row.bytes.first == UInt8(ascii: "#") {
      throw CellFault(column: 0, cause: "it is a comment, not a row")
    }
    guard row.count != columns else {
      if row.bytes.contains(UInt8(ascii: "\n")), hasRow(row) {
        throw CellFault(
          column: 0, cause: "a cell in quotes has a whole row in it, so one quote is missing, or there is one too many")
      }
      return
    }
    let cells = row.count == 1 ? "1 cell" : "\(row.count) cells"
    throw CellFault(
      column: min(row.count, columns),
      cause: row.bytes.contains(0)
        ? "the row has NUL characters" : "the row has \(cells), but the header has \(columns)")
  }

  /// Whether a line between the first and the last one is a row. A quote that is not closed takes the rows up to the next quote,
  /// and they would be lost in silence.
  private func hasRow(_ row: CSVRow) -> Bool {
    let ends = CellEnds(form)
    let lines = row.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.dropFirst().dropLast().contains { line in
      guard let row = try? ends.split(UnsafeBufferPointer(rebasing: line), dialect), row.count == columns,
        (0..<columns).allSatisfy({ !isValue($0) || row.number($0) != nil })
      else { return false }
      return form.clock != .cells || (try? time(row)) != nil
    }
  }

  func time(_ row: CSVRow) throws(CellFault) -> Int64 {
    var time: Int64 = 0
    var isJoined = false
    for column in timeIndex..<columns {
      let role = roles.byColumn[column]
      guard role.isTime else { continue }
      let parse = { (text: UnsafeBufferPointer<UInt8>) -> Result<Int64, TimeParser.Fault> in
        Result { () throws(TimeParser.Fault) in
          try role == .date || role == .timeOfDay ? times.part(role, text) : times.time(text)
        }
      }
      // A quoted text is copied, and so is a time that is in no cell.
      let parsed =
        form.clock == .cells
        ? row.withTrimmedText(column, parse) : Array(form.clock.text(of: row).utf8).withUnsafeBufferPointer(parse)
      var sum: (partialValue: Int64, overflow: Bool)
      do throws(TimeParser.Fault) {
        sum = time.addingReportingOverflow(try parsed.get())
        if sum.overflow { throw TimeParser.Fault(cause: "the time \(CivilTime.Fault.tooFar.cause)") }
      } catch {
        throw CellFault(column: column, cause: error.cause, remedy: error.remedy)
      }
      time = sum.partialValue
      isJoined = isJoined || role == .timeOfDay
    }
    guard isJoined else { return time }
    do throws(TimeParser.Fault) { return try times.joined(time) } catch {
      throw CellFault(column: timeIndex, cause: error.cause)
    }
  }

  /// Whether a cell has a text, and no damaged number.
  private static func isText(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
    cell.first.map { $0 &- 0x30 >= 10 && !"+-.,".utf8.contains($0) } ?? false
  }

  func value(_ row: CSVRow, _ index: Int, notes: inout RowNotes) throws(CellFault) -> ExactDecimal {
    guard let number = row.number(index), let value = number.value else {
      if takesMarks, row.withTrimmedText(index, MissingMark.isOne) { return .missing }
      if unseen.contains(index), row.withTrimmedText(index, Self.isText) {
        notes.texts.insert(index)
        return .missing
      }
      let cell = row.bytes(index...index)
      let cause =
        cell.contains(0)
        ? "has NUL bytes"
        : row.number(index) != nil
          ? "is too large a number"
          : row.withTrimmedText(index, CSVDialect.mayBeGrouped)
            ? "has two meanings: its mark may separate thousands, or be the decimal mark" : "is not a number"
      throw CellFault(column: index, cause: row.withTrimmedText(index) { "\(shown($0)) \(cause)" })
    }
    notes.isRounded = notes.isRounded || number.isRounded
    return value
  }
}
