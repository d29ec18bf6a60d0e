import SluiceReadings

/// The rows of a table without regard to what stands around them: found by what most of its first lines have in common. Its shape,
/// and the options that a message names, are found in them.
struct TableRows {
  enum Column {
    case number
    case time(TimeFormats)
    case text
    /// No row has anything in it.
    case blank

    var times: TimeFormats? {
      if case .time(let formats) = self { return formats }
      return nil
    }
  }

  /// What is between the cells; nil for spaces.
  private(set) var delimiter: UInt8? = UInt8(ascii: ",")
  private(set) var columns: [Column] = []
  /// The indices of the lines with the rows.
  private(set) var rows: [Int] = []
  /// The number of cells of a row. Columns without values at its end are none of ``columns``.
  let count: Int
  /// The index of the line with the names of the columns, and these.
  private(set) var header: (line: Int, names: [String])?
  /// Whether the header has names for which rows have no cells.
  private(set) var isShort = false
  private var cells: [[String]] = []
  /// The cells of all lines, by line.
  private let all: [Int: [String]]
  /// Whether a time of two parts has more than 23 hours, so that it is no time of day.
  private var hasDurations = false
  /// Lines with values that are none of the rows.
  private var others: [Int] = []

  /// - Parameters:
  ///   - start: The first line that is looked at.
  ///   - mayBeSpaced: Whether spaces may be the delimiters.
  /// - Returns: nil if no line is a row.
  init?(_ text: TableText, from start: Int, mayBeSpaced: Bool = true) {
    let shown = text.lines.indices.dropFirst(start).filter(text.isShown)
    // Spaces are delimiters only if no line has another one. The comma is tried for rows of one cell.
    let used = CSVDialect.delimiters.filter { delimiter in shown.contains { text.lines[$0].contains(delimiter) } }
    let further = used.isEmpty && mayBeSpaced ? [nil] : used.filter { $0 != UInt8(ascii: ",") }.map(Optional.some)
    let tried = [UInt8(ascii: ",")] + further
    typealias Candidate = (delimiter: UInt8?, rows: [(Int, [String])], all: [(Int, [String])], rank: (Int, Int))
    let delimited = tried.compactMap { delimiter -> Candidate? in
      let all = shown.map { ($0, Self.cells(text.texts[$0], delimiter)) }
      let valued = all.map { (line: $0, values: $0.1.count(where: Self.isValue)) }.filter { $0.values > 0 }
      // Rows are the lines of one length that have most values together.
      let groups = Dictionary(grouping: valued) { $0.line.1.count }.map { count, lines in
        (count: count, values: lines.reduce(0) { $0 + $1.values }, rows: lines.map(\.line))
      }
      guard let group = groups.max(by: { ($0.values, $0.count) < ($1.values, $1.count) }) else { return nil }
      let rows = group.rows
      let texts = rows.reduce(0) { $0 + $1.1.count { !$0.isEmpty } } - group.values
      let score = 2 * group.values - texts
      return (delimiter, rows, all, (score > 0 && rows[0].1.count > 1 ? 1 : 0, score))
    }
    // If two are equally good, the first one.
    guard let best = delimited.max(by: { $0.rank < $1.rank }) else { return nil }
    (delimiter, count) = (best.delimiter, best.rows[0].1.count)
    all = Dictionary(uniqueKeysWithValues: best.all)
    let candidates = Self.behindNames(best.all, best.rows) ?? best.rows
    cells = candidates.map(\.1)
    columns = Self.columns(cells)
    let timed = columns.indices.filter { columns[$0].times != nil }
    hasDurations = cells.contains { row in timed.contains { Self.isDuration(row[$0]) } }
    let kinds = columns
    let matching = candidates.filter { row in zip(row.1, kinds).allSatisfy(Self.fits) }
    (rows, cells) = (matching.map(\.0), matching.map(\.1))
    guard let row = rows.first else { return nil }
    let own = Set(rows)
    others = best.all.filter { line, cells in
      !own.contains(line) && (Self.hasValues(cells) || Self.hasValue(cells, kinds))
    }.map(\.0)
    while case .blank? = columns.last { columns.removeLast() }
    guard let line = shown.last(where: { $0 < row }), let names = all[line], Self.areNames(names),
      (columns.count...(count + 1)).contains(names.count)
    else { return }
    isShort = names.dropFirst(columns.count).contains { !$0.isEmpty }
    header = (line, Array(names.prefix(columns.count)))
  }

  /// The rows after a header with a time column, if the lines before it cannot be rows: a logger may write more lines of settings
  /// than there are rows. Nil if there is nothing to leave out.
  private static func behindNames(_ all: [(Int, [String])], _ rows: [(Int, [String])]) -> [(Int, [String])]? {
    let count = rows[0].1.count
    let names = all.first { $0.1.count == count && areNames($0.1) && $0.1.contains { TimeNames.isUsual($0) } }
    guard let names else { return nil }
    let (above, below) = (rows.filter { $0.0 < names.0 }, rows.filter { $0.0 > names.0 })
    guard !above.isEmpty, !below.isEmpty else { return nil }
    let columns = columns(below.map(\.1))
    return above.contains { zip($0.1, columns).allSatisfy(fits) } ? nil : below
  }

  private static func columns(_ rows: [[String]]) -> [Column] {
    rows[0].indices.map { column in Self.column(rows.map { $0[column] }) }
  }

  /// The cells of a line; none of a line that is blank or a comment.
  subscript(line: Int) -> [String] { all[line] ?? [] }

  /// - Parameter delimiter: nil for spaces.
  private static func cells(_ line: String, _ delimiter: UInt8?) -> [String] {
    if let delimiter { return CSVCells.texts(line.utf8, delimiter) }
    return line.split { $0 == " " || $0 == "\t" }.map(String.init)
  }

  private static func isValue(_ cell: String) -> Bool {
    DecimalText(cell) != nil || mayBeTime(cell) || cell.utf8.count == 3 && cell.lowercased() == "nan"
  }

  /// Whether a text has the digits and signs of a time.
  private static func mayBeTime(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count <= 48, let first = bytes.first, first &- 0x30 < 10 || (first | 0x20) &- 0x61 < 26 else {
      return false
    }
    return bytes.count { $0 &- 0x30 < 10 } >= 4 && bytes.contains { "-/:. T".utf8.contains($0) }
      && !bytes.contains { ";\t".utf8.contains($0) }
  }

  private static func column(_ cells: [String]) -> Column {
    let texts = cells.filter { !$0.isEmpty && !MissingMark.isOne($0) }
    guard !texts.isEmpty else { return cells.contains { !$0.isEmpty } ? .number : .blank }
    let numbers = texts.count { DecimalText($0) != nil }
    if numbers * 2 > texts.count {
      return DigitDates.fitting(texts).isEmpty ? .number : TimeFormats(texts).map(Column.time) ?? .number
    }
    return TimeFormats(texts).map(Column.time) ?? .text
  }

  private static func fits(_ cell: String, _ column: Column) -> Bool {
    switch column {
    case .number: cell.isEmpty || MissingMark.isOne(cell) || DecimalText(cell) != nil
    case .time(let times): times.isTime(cell)
    case .text: true
    case .blank: cell.isEmpty
    }
  }

  /// Whether a line before another one has values, although it is none of the rows.
  func hasOthers(before line: Int) -> Bool { others.contains { $0 < line } }

  /// Whether a line before another one has as many values as a row, and nothing else.
  func hasValues(before line: Int) -> Bool {
    others.contains { $0 < line && self[$0].count == count && self[$0].allSatisfy { $0.isEmpty || Self.isValue($0) } }
  }

  /// Whether most cells of a line are numbers and times.
  private static func hasValues(_ cells: [String]) -> Bool {
    let texts = cells.filter { !$0.isEmpty }
    let values = texts.count { isValue($0) || MissingMark.isOne($0) }
    return values > 1 && values * 2 > texts.count
  }

  /// Whether a line of the width of the rows has a time where they have one, or a number if they have no times. A line of
  /// an instrument before its rows, such as `Serial,1234`, has not.
  private static func hasValue(_ cells: [String], _ columns: [Column]) -> Bool {
    guard cells.count == columns.count else { return false }
    let hasTimes = columns.contains { $0.times != nil }
    return zip(cells, columns).contains { cell, column in
      guard !cell.isEmpty, !MissingMark.isOne(cell) else { return false }
      switch column {
      case .time: return fits(cell, column)
      case .number: return !hasTimes && fits(cell, column)
      case .text, .blank: return false
      }
    }
  }

  private static func areNames(_ cells: [String]) -> Bool {
    cells.contains { $0.contains(where: \.isLetter) }
      && cells.allSatisfy { DecimalText($0) == nil && !TimeColumn.isTimeText($0) }
  }

  // MARK: The time

  /// Where the time of a row may be, and how it is written.
  struct Time {
    /// Its column, or those of the date and of the time of day; none if rows have no times.
    let columns: [Int]
    /// What `--time-format` may be; nil if it is not needed.
    let formats: [String?]
    /// Whether it is a time of day without a date.
    let isTimeOfDay: Bool
    /// Whether it is a number that grows.
    let isNumber: Bool

    init(_ columns: Int..., formats: [String] = [], isTimeOfDay: Bool = false, isNumber: Bool = false) {
      (self.columns, self.isTimeOfDay, self.isNumber) = (columns, isTimeOfDay, isNumber)
      self.formats = formats.isEmpty ? [nil] : formats
    }
  }

  /// Where the time is. Numbers that grow may be others than times.
  var times: [Time] {
    func first(_ content: TimeFormats.Content) -> (column: Int, formats: [String])? {
      columns.indices.lazy.compactMap { column in
        columns[column].times.flatMap { $0.content == content ? (column, $0.formats) : nil }
      }.first
    }
    if let both = first(.both) { return [Time(both.column, formats: both.formats)] }
    // With the date of a day, some of its rows would be left out.
    if hasDurations { return [] }
    let (date, clock) = (first(.date), first(.timeOfDay))
    if let date, let clock {
      // One format has both.
      let dates = date.formats.isEmpty ? ["%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d"] : date.formats
      let formats = dates.map { "\($0) \(clock.formats.first ?? "%H:%M:%S")" }
      let isKnown = date.formats.isEmpty && clock.formats.isEmpty
      return [Time(date.column, clock.column, formats: isKnown ? [] : formats)]
    }
    if let clock { return [Time(clock.column, formats: clock.formats, isTimeOfDay: true)] }
    // If the file has times in a form that is not read, no other column may be taken for them.
    if columns.indices.contains(where: isUnreadTime) { return [] }
    if let date { return [Time(date.column, formats: date.formats)] }
    // No option reads times in minutes, hours or days.
    if let names = header?.names,
      names.contains(where: { TimeNames.longUnit(in: $0) != nil || TimeNames.isDayNumber($0) })
    {
      return []
    }
    let named = header.map { TimeNames.candidates($0.names) } ?? []
    let growing = columns.indices.filter(grows)
    if let column = named.first(where: growing.contains) ?? named.first { return [Time(column, isNumber: true)] }
    if let epoch = growing.first(where: isEpoch) { return [Time(epoch, isNumber: true)] }
    return (columns.count > 1 ? growing.prefix(1).map { Time($0, isNumber: true) } : []) + [Time()]
  }

  /// Whether numbers have the digits of times since 1970.
  func isEpoch(_ column: Int) -> Bool {
    cells.allSatisfy { DecimalText($0[column]).map { [10, 13, 16, 19].contains($0.wholeDigits) } ?? false }
  }

  /// The number of columns with numbers that are no times.
  func numbers(besides time: Time) -> Int {
    let numbers = columns.count { if case .number = $0 { true } else { false } }
    return max(1, numbers - (time.isNumber ? 1 : 0))
  }

  /// Whether a column has times of day that are not read: `140059.80`, or text such as `1:30 Uhr`.
  private func isUnreadTime(_ column: Int) -> Bool {
    let texts = cells.map { $0[column] }.filter { !$0.isEmpty }
    guard texts.count > 1, Set(texts).count > 1 else { return false }
    switch columns[column] {
    case .number: return texts.allSatisfy(TimeColumn.hasClockDigits) && grows(column)
    case .text:
      return texts.allSatisfy { text in
        text.first.map { $0.isNumber } ?? false && text.contains(":") && text.count { $0.isNumber } >= 3
      }
    case .time, .blank: return false
    }
  }

  /// Whether a text such as `25:30` has more than 23 hours, if these are hours.
  private static func isDuration(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), Int(parts[1]) != nil else { return false }
    return first > 23
  }

  private func grows(_ column: Int) -> Bool {
    guard case .number = columns[column] else { return false }
    let numbers = cells.compactMap { Double($0[column].replacingComma) }
    return numbers.count == cells.count && numbers.count > 1 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }
}

extension String {
  fileprivate var replacingComma: String { String(map { $0 == "," ? "." : $0 }) }
}
