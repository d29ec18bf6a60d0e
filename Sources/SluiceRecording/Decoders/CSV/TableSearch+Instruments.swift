/// Files of instruments that do not have a time in each row, whose times have no unit, or that have other columns beside it.
extension TableSearch {
  mutating func findInstrument() -> Bool {
    guard let first = lines.first else { return false }
    let cells = cells(first)
    return findTektronix(cells) || findRigol(cells) || findSiglent(cells) || findRohdeSchwarz(cells)
      || findLeCroy(cells) || findHioki(cells) || findYokogawa(cells) || findLabVIEW(first) || findRaceCapture(cells)
  }

  /// Whether the first line is one of the settings of an instrument, of which it writes many before its rows.
  static func hasSettings(_ text: TableText) -> Bool {
    guard let first = text.texts.first else { return false }
    let cell = CSVCells.texts(first.utf8, UInt8(ascii: ","))[0]
    return ["Record Length", "COMMENT", "Model"].contains(cell) || cell.hasPrefix("LECROY")
      || cell.hasPrefix("LabVIEW Measurement")
  }

  /// The cells of the lines in which an instrument has its settings.
  private var above: [[String]] { lines.prefix(60).map { cells($0) } }

  /// The values of a setting.
  private func setting(_ name: String) -> [String]? {
    above.first { $0[0] == name && $0.count > 1 }.map { Array($0.dropFirst()) }
  }

  private static func titles(_ names: [String], _ units: [String]) -> [String] {
    names.enumerated().map { $0 < units.count && !units[$0].isEmpty ? "\($1) (\(units[$0]))" : $1 }
  }

  /// Takes the rows behind a line, with a time and these columns.
  private mutating func take(
    behind line: Int, _ names: some Sequence<String>, unit: String = "s", said notice: String
  ) -> Bool {
    (shape.skipped, shape.names) = (line + 1, ["time (\(unit))"] + names)
    shape.notices.append("it is a file of \(notice)")
    return true
  }

  /// RaceCapture: names with their units, limits and rates, `"AccelX"|"G"|-3.0|3.0|25`. The first column is the time in
  /// milliseconds.
  private mutating func findRaceCapture(_ cells: [String]) -> Bool {
    let parts = cells.map { cell in
      cell.split(separator: "|", omittingEmptySubsequences: false).map { $0.filter { $0 != "\"" } }
    }
    guard parts.count > 1, parts.allSatisfy({ $0.count == 5 }), parts[0][0] == "Interval", parts[0][1] == "ms" else {
      return false
    }
    let titles = Self.titles(parts.map { $0[0] }, parts.map { $0[1] })
    return take(behind: 0, titles.dropFirst(), unit: "ms", said: "RaceCapture: its first column is the time")
  }

  /// Tektronix TDS: the settings are in the first three columns of the first rows.
  private mutating func findTektronix(_ cells: [String]) -> Bool {
    guard cells.count >= 5, cells[0] == "Record Length", DecimalText(cells[3]) != nil, DecimalText(cells[4]) != nil
    else { return false }
    let source = [setting("Source")?[0] ?? "CH1"]
    shape.form.taken = 3..<5
    isNamedInRows = true
    return take(
      behind: -1, Self.titles(source, setting("Vertical Units") ?? []),
      said: "a Tektronix oscilloscope: the time is its column 4, in seconds")
  }

  private mutating func findRigol(_ cells: [String]) -> Bool {
    func said(_ start: Double, _ increment: Double) -> String {
      "a Rigol oscilloscope: times are counted from \(start) s by \(increment) s"
    }
    // DS1000Z: rows are numbered, and the header has the start and the increment.
    let second = lines.count > 1 ? self.cells(lines[1]) : []
    if let start = cells.firstIndex(of: "Start"), let step = cells.firstIndex(of: "Increment"), start > 0,
      max(start, step) < second.count, let begin = Double(second[start]), let increment = Double(second[step])
    {
      shape.form.clock = .counted(start: begin, increment: increment, hasNumber: true)
      shape.form.taken = 1..<start
      return take(behind: 1, Self.titles(cells, second)[1..<start], said: said(begin, increment))
    }
    // MSO5000: the header has `t0 =` and `tInc =`.
    func number(_ name: String) -> Double? {
      cells.first { $0.hasPrefix(name) }.flatMap { cell in
        Double(cell.dropFirst(name.count).filter { !" =s".contains($0) })
      }
    }
    guard let place = cells.firstIndex(where: { $0.hasPrefix("t0") }), let begin = number("t0"),
      let increment = number("tInc"), place > 0, lines.count > 1
    else { return false }
    shape.form.taken = 0..<place
    let isTaken = take(behind: 0, cells[..<place], said: said(begin, increment))
    if hasTime(Array(cells[..<place])) {
      shape.names = Array(cells[..<place])
    } else {
      shape.form.clock = .counted(start: begin, increment: increment, hasNumber: false)
    }
    return isTaken
  }

  /// Siglent: settings, the source, and a row of units instead of a header.
  private mutating func findSiglent(_ cells: [String]) -> Bool {
    guard cells[0] == "Record Length",
      let row = lines.indices.prefix(30).first(where: { lines[$0].hasPrefix("Second,") }), row > 0
    else { return false }
    let scales = (setting("Vertical Scale") ?? []).compactMap { $0.split(separator: ":").first.map(String.init) }
    let sources = setting("Source") ?? scales
    let units = (setting("Vertical Units") ?? []).compactMap { $0.split(separator: ":").last.map(String.init) }
    let names = self.cells(lines[row]).indices.dropFirst().map { $0 <= sources.count ? sources[$0 - 1] : "CH\($0)" }
    return take(
      behind: row, Self.titles(names, units), said: "a Siglent oscilloscope: the time is its column 1, in seconds")
  }

  /// Rohde & Schwarz: the time has a unit, and no name: `[s],CH1[V]`, `in s,CH1 in V`.
  private mutating func findRohdeSchwarz(_ cells: [String]) -> Bool {
    guard cells.count > 1, ["[s]", "in s"].contains(cells[0]) else { return false }
    let names = cells.dropFirst().map { name in
      name.firstRange(of: " in ").map { "\(name[..<$0.lowerBound]) (\(name[$0.upperBound...]))" } ?? name
    }
    return take(behind: 0, names, said: "a Rohde & Schwarz oscilloscope: the time is its column 1, in seconds")
  }

  /// LeCroy 9300: the name of the oscilloscope, the segments with their trigger times, and `Time,Ampl` in seconds.
  private mutating func findLeCroy(_ cells: [String]) -> Bool {
    guard cells[0].hasPrefix("LECROY"), let row = lines.firstIndex(where: { self.cells($0).first == "Time" })
    else { return false }
    return take(
      behind: row, self.cells(lines[row]).dropFirst(),
      said: "a LeCroy oscilloscope: the time is its column 1, in seconds")
  }

  /// Hioki 8860: a setting in each line, and a row of names with a name of its own.
  private mutating func findHioki(_ cells: [String]) -> Bool {
    guard cells[0] == "COMMENT", let row = above.firstIndex(of: ["DATA"]), let names = setting("SIGNAL"),
      let units = setting("VERT_UNITS"), names[0] == "TIME", units[0] == "s"
    else { return false }
    return take(
      behind: row, Self.titles(names, units).dropFirst(),
      said: "a Hioki recorder: the time is its column 1, in seconds")
  }

  /// Yokogawa DL: a setting in each line, among them the rate and the names, and rows without times.
  private mutating func findYokogawa(_ cells: [String]) -> Bool {
    guard cells.count == 2, cells[0] == "Model", shape.form.clock == .cells else { return false }
    let scales = ["Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9]
    guard let rate = setting("SampleRate"), rate.count == 2, let number = Double(rate[0]), number > 0,
      let scale = scales[rate[1]], let names = setting("TraceName"),
      let row = above.firstIndex(where: { DecimalText($0[0]) != nil }), row > 0
    else { return false }
    shape.form.clock = .counted(start: 0, increment: 1 / (number * scale), hasNumber: false)
    // The last line of the settings becomes the header.
    return take(
      behind: row - 1, Self.titles(names, setting("Unit") ?? []),
      said: "a Yokogawa oscilloscope: times are counted from its first row, at \(rate[0]) \(rate[1])")
  }

  /// LabVIEW's measurement files with one column of times, in seconds after the start of the segment.
  private mutating func findLabVIEW(_ first: String) -> Bool {
    guard first.hasPrefix("LabVIEW Measurement") else { return false }
    let delimiter = UInt8(ascii: lines.contains { $0.hasPrefix("Separator,Comma") } ? "," : "\t")
    let rows = lines.map { cells($0, delimiter) }
    func isSet(_ name: String, _ value: String) -> Bool { rows.contains { $0.prefix(2) == [name, value] } }
    guard let row = rows.firstIndex(where: { $0[0] == "X_Value" }), isSet("X_Columns", "One"),
      isSet("X_Dimension", "Time"), !isSet("Time_Pref", "Absolute")
    else { return false }
    let names = rows[row].dropFirst().prefix { $0 != "Comment" && !$0.isEmpty }
    (shape.delimiter, shape.form.taken) = (delimiter, 0..<(names.count + 1))
    return take(behind: row, names, said: "LabVIEW with measurements: the time is its column 1, in seconds")
  }
}
