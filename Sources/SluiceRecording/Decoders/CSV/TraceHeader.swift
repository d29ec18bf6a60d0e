import SluiceReadings

/// The header of a trace: the names of its columns, the time column, and the columns with text.
struct TraceHeader {
  /// If the rows end with a delimiter and the header does not, the last name is empty.
  private(set) var names: [String]
  /// The names as they stand in the file.
  let written: [String]
  let time: TimeColumn
  /// Columns that begin with text, so they cannot be channels.
  let text: [Int]
  /// Columns of hexadecimal numbers, whose digits would be read as decimal ones.
  private(set) var hexadecimal: [Int] = []
  /// Columns that have no value in the first rows.
  private(set) var unseen: Set<Int> = []
  /// Columns at the end that have neither a name nor values: their rows end with a delimiter.
  private(set) var blank: [Int] = []
  /// Whether the cells are the levels of lines.
  let hasLevels: Bool
  /// Whether the names are numbers, because the first row is a reading.
  let isWithoutHeader: Bool
  /// Messages about the detected columns.
  private(set) var notices: [String] = []
  /// Whether all times of the first rows have a zone of their own.
  private(set) var timesHaveZone = false

  /// The offset in the title of the column of the time, or in that of its date.
  var zoneOfTitle: ZoneFile? {
    let date = time.date.flatMap { ZoneFile.offset(inTitle: names[$0]) }
    return ZoneFile.offset(inTitle: names[time.index]) ?? date
  }

  /// The abbreviation of a zone in the title of the column of the time, or in that of its date.
  var zoneWord: String? {
    [time.index, time.date].compactMap { $0 }.lazy.compactMap { ZoneFile.abbreviation(inTitle: names[$0]) }.first
  }

  /// The name of a column's channel. A comma at the end of the header gives a column without a name.
  func title(_ column: Int) -> String { names[column].isEmpty ? "\(column + 1)" : names[column] }

  var isLong: Bool { CSVLayout.isLong(names) }
  /// Whether another program wrote the trace. A recording begins with the time column `time_ns`.
  var isForeign: Bool { time.index != 0 || written.first != "time_ns" }

  /// - Parameters:
  ///   - shape: What was found in the first lines.
  ///   - sample: The first rows.
  ///   - name: The name of the file in messages.
  ///   - isPipe: Whether the first rows are one row at most.
  ///   - format: The options of the user. The rest is detected.
  ///   - metadata: The metadata of a recording. It knows the time column, whatever the names of the others are.
  init(
    _ shape: TableShape, _ sample: [[String]], of name: String, isPipe: Bool, _ format: TraceFormat,
    _ metadata: TraceMetadata? = nil
  ) throws(SluiceError) {
    (written, isWithoutHeader) = (shape.names, shape.isWithoutHeader)
    if let metadata, format.timeColumn == nil, metadata.titles == written, metadata.time.column == written.first {
      (names, text, hasLevels) = (written, [], false)
      time = TimeColumn(index: 0, unit: format.timeUnit ?? metadata.time.unit)
      try checkNames(name)
      return
    }
    // A recording has its time first, and no text.
    let mayBeOurs = written.first == "time_ns" && format.timeColumn ?? "time_ns" == "time_ns"
    var names = written.map { String($0.trimmingSpaces) }
    let isOpen =
      names.count > 1 && names.last != "" && sample.count > (mayBeOurs ? 1 : 0)
      && sample.allSatisfy { $0.count == names.count + 1 && $0.last == "" }
    if isOpen { names.append("") }
    self.names = names
    let isOurTime = format.timeColumn ?? "time_ns" == "time_ns"
    if isOurTime, let index = names.firstIndex(of: "time_ns") {
      time = TimeColumn(index: index, unit: format.timeUnit ?? .nanoseconds)
    } else {
      time = try TimeColumn(names, format, sample: sample, of: name)
    }
    timesHaveZone = TimeColumn.haveZone(time.index, sample, format)
    let columns = Set([time.index, time.date].compactMap { $0 })
    hasLevels =
      !isOurTime || names[time.index] != "time_ns"
      ? time.index == 0 && LogicExport.hasLevels(names, sample: sample) : false
    let choosesColumns = format.columns.isEmpty && !hasLevels && !CSVLayout.isLong(names)
    if choosesColumns, mayBeOurs {
      // A text in one row is damage.
      text = sample.count > 1 ? Self.text(sample, names.count, besides: columns, isInAll: true) : []
    } else if choosesColumns {
      hexadecimal = HexadecimalColumns.find(sample, names, besides: columns)
      let all = Self.text(sample, names.count, besides: columns.union(hexadecimal))
      // If all these columns were left out, no values would be left. So columns with mostly numbers are kept, and a text in
      // them is a fault of its row.
      let isNothingLeft = all.count + columns.count + hexadecimal.count == names.count
      text = isNothingLeft ? all.filter { !Self.hasNumbers(sample, $0) } : all
    } else {
      text = []
    }
    if !hasLevels, !mayBeOurs { unseen = Self.unseen(sample, names.count) }
    if choosesColumns, !mayBeOurs { try Self.checkUnits(names, sample, of: name) }
    if format.columns.isEmpty, !hasLevels { blank = Self.blank(names, sample, isPipe: isPipe) }
    if isOpen, format.columns.isEmpty, !blank.contains(names.count - 1) { blank.append(names.count - 1) }
    let noHeader =
      "\(name): its first row has numbers and no column names, so that its columns are called 1, 2, ..."
    let mixed = choosesColumns ? SensorNames.mixed(name, names, sample, besides: columns) : nil
    notices = [
      isWithoutHeader ? noHeader : nil, time.notice, time.sameTime, sayText(sample, name), mixed,
      sayHexadecimal(sample, name), isOpen && blank.count == 1 ? nil : sayBlank(name),
    ].compactMap { $0 }
    try checkNames(name)
  }

  /// Whether a column has the time, or its date.
  func isTime(_ column: Int) -> Bool { column == time.index || column == time.date }

  /// Refuses a channel `time_ns`, because the time has this name in every recording.
  private func checkNames(_ name: String) throws(SluiceError) {
    let own = names[time.index]
    guard let other = names.indices.first(where: { $0 != time.index && [own, "time_ns"].contains(names[$0]) }) else {
      return
    }
    throw SluiceError(
      .malformed, "read", name,
      because: names[other] == own
        ? "it has two columns \(TimeColumn.shown(own))"
        : "it has a column \"time_ns\" beside the time column \(TimeColumn.shown(own))",
      remedy: "rename one of them, or leave it out")
  }

  // MARK: Text

  /// Columns with text in their first non-empty cell.
  /// - Parameter isInAll: Whether all cells must be text.
  private static func text(
    _ sample: [[String]], _ count: Int, besides times: Set<Int>, isInAll: Bool = false
  ) -> [Int] {
    (0..<count).filter { column in
      guard !times.contains(column), let first = Self.first(sample, column), isText(first) else { return false }
      let cells = sample.cells(column)
      return !isInAll || cells.count > 1 && cells.allSatisfy(isText)
    }
  }

  /// Whether most cells of a column are numbers.
  private static func hasNumbers(_ sample: [[String]], _ column: Int) -> Bool {
    let cells = sample.cells(column)
    return cells.count { !isText($0) && !MissingMark.isOne($0) } * 2 > cells.count
  }

  /// A cell such as `1.234,5` looks like a number. It is a number or an error, not text. A cell that ends with `E` may be a longitude, so it is text.
  private static func isText(_ cell: String) -> Bool {
    if DecimalText(cell) != nil || CSVDialect.withoutSeparators(cell.utf8) != nil { return false }
    let isOfNumber =
      cell.contains(where: \.isNumber) && !"eE".contains(cell.last ?? "e")
      && cell.utf8.allSatisfy { "0123456789+-.,eE ".utf8.contains($0) }
    return TimeColumn.isDate(cell) || !isOfNumber
  }

  /// Columns without a value in the first rows. Further rows may have a text, such as an event of a logger.
  private static func unseen(_ sample: [[String]], _ count: Int) -> Set<Int> {
    sample.count < 2 ? [] : Set((0..<count).filter { first(sample, $0) == nil })
  }

  /// Refuses values of several units in one column.
  private static func checkUnits(_ names: [String], _ sample: [[String]], of name: String) throws(SluiceError) {
    guard let column = names.firstIndex(where: { ["unit", "units", "einheit"].contains($0.lowercased()) }) else {
      return
    }
    let units = sample.cells(column).filter(TableUnits.isUnit)
    // `mV` and `V`; single letters may be names, such as those of machines.
    func areOfOneKind(_ first: String, _ second: String) -> Bool {
      let (first, second) = (first.lowercased(), second.lowercased())
      return first != second && (first.hasSuffix(second) || second.hasSuffix(first))
    }
    guard let first = units.first, let second = units.first(where: { areOfOneKind(first, $0) }) else { return }
    throw SluiceError(
      .malformed, "read", name,
      because:
        "column \(column + 1), \(TimeColumn.shown(names[column])), has \(TimeColumn.shown(first)) and \(TimeColumn.shown(second)): values with different units would be in one channel",
      remedy: "convert the values to one unit, or give a file for each unit")
  }

  /// One such column may be the only one that a trace has, and in the row after a pipe's header nothing is known of the rest.
  private static func blank(_ names: [String], _ sample: [[String]], isPipe: Bool) -> [Int] {
    guard sample.count > (isPipe ? 1 : 0) else { return [] }
    let count = names.reversed().prefix { $0.isEmpty }.count
    return names.indices.suffix(count).filter { column in
      column > 1 && sample.allSatisfy { column >= $0.count || $0[column].isEmpty }
    }
  }

  private func sayHexadecimal(_ sample: [[String]], _ name: String) -> String? {
    guard let column = hexadecimal.first, let cell = Self.first(sample, column) else { return nil }
    let isBinary = cell.utf8.count > 3 && cell.allSatisfy { "01".contains($0) }
    let (list, isOne) = (TimeColumn.list(hexadecimal.map { names[$0] }), hexadecimal.count == 1)
    return
      "\(name): \(isOne ? "column" : "columns") \(list) \(isOne ? "is" : "are") left out, because \(isOne ? "it has" : "they have") "
      + "\(isBinary ? "binary" : "hexadecimal") numbers, such as \(TimeColumn.shown(cell))"
  }

  private func sayBlank(_ name: String) -> String? {
    guard let first = blank.first else { return nil }
    let columns = blank.count == 1 ? "column \(first + 1) has" : "its last \(blank.count) columns have"
    return "\(name): \(columns) neither a name nor values, and \(blank.count == 1 ? "is" : "are") left out"
  }

  private static func first(_ sample: [[String]], _ column: Int) -> String? {
    sample.cells(column).first { !MissingMark.isOne($0) }
  }

  private func sayText(_ sample: [[String]], _ name: String) -> String? {
    guard let column = text.first, let cell = Self.first(sample, column) else { return nil }
    let left =
      text.count == 1
      ? "column \(column + 1), \(TimeColumn.shown(names[column])), is left out, because its first value is"
      : "\(text.count) columns are left out, \(TimeColumn.list(text.map { names[$0] })), because the first value of the first is"
    return "\(name): \(left) \(TimeColumn.shown(cell)), which is not a number"
  }
}

extension String {
  var trimmingSpaces: Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = drop(while: isSpace)
    return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? rest[..<rest.startIndex]
  }
}
