/// Files of instruments that do not have a time in each row, whose times have no unit, or that have other columns beside it.
extension TableSearch {
  mutating func findInstrument() -> Bool {
    guard let first = lines.first else { return false }
    let cells = cells(first, ",")
    return findTektronix(cells) || findRigol(cells) || findSiglent(cells) || findRohdeSchwarz(cells)
      || findLeCroy(cells) || findHioki(cells) || findYokogawa(cells) || findLabVIEW(first) || findRaceCapture(cells)
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
    let names = parts.dropFirst().map { $0[1].isEmpty ? $0[0] : "\($0[0]) (\($0[1]))" }
    shape.header = (["time (ms)"] + names).joined(separator: ",")
    shape.notices.append("it is a file of RaceCapture: its first column is the time")
    return true
  }

  /// Tektronix TDS: the settings are in the first three columns of the first rows.
  private mutating func findTektronix(_ cells: [String]) -> Bool {
    guard cells.count >= 5, cells[0] == "Record Length", DecimalText(cells[3]) != nil, DecimalText(cells[4]) != nil
    else { return false }
    func setting(_ name: String) -> String? {
      lines.prefix(20).map { self.cells($0, ",") }.first { $0[0] == name && $0.count > 1 }?[1]
    }
    let unit = setting("Vertical Units").map { " (\($0))" } ?? ""
    shape.taken = 3..<5
    shape.names = ["time (s)", (setting("Source") ?? "CH1") + unit]
    shape.notices.append("it is a file of a Tektronix oscilloscope: the time is its column 4, in seconds")
    return true
  }

  private mutating func findRigol(_ cells: [String]) -> Bool {
    guard lines.count > 1 else { return false }
    // DS1000Z: rows are numbered, and the header has the start and the increment.
    let second = self.cells(lines[1], ",")
    if let start = cells.firstIndex(of: "Start"), let step = cells.firstIndex(of: "Increment"), start > 0,
      max(start, step) < second.count, let begin = Double(second[start]), let increment = Double(second[step])
    {
      let names = (1..<start).map { "\(cells[$0]) (\(second[$0]))" }
      (shape.header, shape.unitRows) = ((["time (s)"] + names).joined(separator: ","), 1)
      shape.clock = .counted(start: begin, increment: increment, hasNumber: true)
      shape.taken = 1..<start
      shape.notices.append("it is a file of a Rigol oscilloscope: times are counted from \(begin) s by \(increment) s")
      return true
    }
    // MSO5000: the header has `t0 =` and `tInc =`.
    func number(_ name: String) -> Double? {
      cells.first { $0.hasPrefix(name) }.flatMap { cell in
        Double(cell.dropFirst(name.count).filter { !" =s".contains($0) })
      }
    }
    guard let place = cells.firstIndex(where: { $0.hasPrefix("t0") }), let begin = number("t0"),
      let increment = number("tInc"), place > 0
    else { return false }
    let names = Array(cells[..<place])
    let hasTimes = hasTime(names)
    shape.header = ((hasTimes ? [] : ["time (s)"]) + names).joined(separator: ",")
    shape.taken = 0..<place
    if !hasTimes { shape.clock = .counted(start: begin, increment: increment, hasNumber: false) }
    shape.notices.append("it is a file of a Rigol oscilloscope: times are counted from \(begin) s by \(increment) s")
    return true
  }

  /// Siglent: settings, the source, and a row of units instead of a header.
  private mutating func findSiglent(_ cells: [String]) -> Bool {
    guard let row = lines.indices.prefix(30).first(where: { lines[$0].hasPrefix("Second,") }), row > 0,
      cells[0] == "Record Length"
    else { return false }
    let above = lines[..<row].map { self.cells($0, ",") }
    func setting(_ name: String) -> [String] { above.first { $0[0] == name }.map { Array($0.dropFirst()) } ?? [] }
    let count = self.cells(lines[row], ",").count - 1
    let scales = setting("Vertical Scale").compactMap { $0.split(separator: ":").first.map(String.init) }
    let sources = setting("Source").isEmpty ? scales : setting("Source")
    let units = setting("Vertical Units").compactMap { $0.split(separator: ":").last.map(String.init) }
    let names = (0..<count).map { index in
      let name = index < sources.count ? sources[index] : "CH\(index + 1)"
      return name + (index < units.count ? " (\(units[index]))" : "")
    }
    (shape.skipped, shape.header) = (row, (["time (s)"] + names).joined(separator: ","))
    shape.notices.append("it is a file of a Siglent oscilloscope: the time is its column 1, in seconds")
    return true
  }

  /// Rohde & Schwarz: the time has a unit, and no name: `[s],CH1[V]`, `in s,CH1 in V`.
  private mutating func findRohdeSchwarz(_ cells: [String]) -> Bool {
    guard cells.count > 1, ["[s]", "in s"].contains(cells[0]) else { return false }
    let names = cells.dropFirst().map { name in
      guard let words = name.firstRange(of: " in ") else { return name }
      return "\(name[..<words.lowerBound]) (\(name[words.upperBound...]))"
    }
    shape.header = (["time (s)"] + names).joined(separator: ",")
    shape.notices.append("it is a file of a Rohde & Schwarz oscilloscope: the time is its column 1, in seconds")
    return true
  }

  /// LeCroy 9300: the name of the oscilloscope, the segments with their trigger times, and `Time,Ampl` in seconds.
  private mutating func findLeCroy(_ cells: [String]) -> Bool {
    guard cells[0].hasPrefix("LECROY"),
      let row = lines.indices.first(where: { self.cells(lines[$0], ",").first == "Time" })
    else { return false }
    let names = self.cells(lines[row], ",").dropFirst()
    (shape.skipped, shape.header) = (row, (["time (s)"] + names).joined(separator: ","))
    shape.notices.append("it is a file of a LeCroy oscilloscope: the time is its column 1, in seconds")
    return true
  }

  /// Hioki 8860: a setting in each line, and a row of names with a name of its own.
  private mutating func findHioki(_ cells: [String]) -> Bool {
    guard cells[0] == "COMMENT" else { return false }
    let all = lines.prefix(60).map { self.cells($0, ",") }
    func setting(_ name: String) -> [String] { all.first { $0[0] == name }.map { Array($0.dropFirst()) } ?? [] }
    let (names, units) = (setting("SIGNAL"), setting("VERT_UNITS"))
    guard let row = all.firstIndex(where: { $0 == ["DATA"] }), names.first == "TIME", units.first == "s" else {
      return false
    }
    let titles = names.enumerated().dropFirst().map { $1 + ($0 < units.count ? " (\(units[$0]))" : "") }
    (shape.skipped, shape.header) = (row, (["time (s)"] + titles).joined(separator: ","))
    shape.notices.append("it is a file of a Hioki recorder: the time is its column 1, in seconds")
    return true
  }

  /// Yokogawa DL: a setting in each line, among them the rate and the names, and rows without times.
  private mutating func findYokogawa(_ cells: [String]) -> Bool {
    guard cells.count == 2, cells[0] == "Model", shape.clock == .cells else { return false }
    let all = lines.prefix(60).map { self.cells($0, ",") }
    func setting(_ name: String) -> [String]? { all.first { $0[0] == name }.map { Array($0.dropFirst()) } }
    let scales = ["Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9]
    guard let rate = setting("SampleRate"), rate.count == 2, let number = Double(rate[0]), number > 0,
      let scale = scales[rate[1]], let names = setting("TraceName"),
      let row = all.indices.first(where: { DecimalText(all[$0][0]) != nil }), row > 0
    else { return false }
    let units = setting("Unit") ?? []
    let titles = names.enumerated().map { $1 + ($0 < units.count ? " (\(units[$0]))" : "") }
    // The last line of the settings becomes the header.
    (shape.skipped, shape.header) = (row - 1, (["time (s)"] + titles).joined(separator: ","))
    shape.clock = .counted(start: 0, increment: 1 / (number * scale), hasNumber: false)
    shape.notices.append(
      "it is a file of a Yokogawa oscilloscope: times are counted from its first row, at \(rate[0]) \(rate[1])")
    return true
  }

  /// LabVIEW's measurement files with one column of times, in seconds after the start of the segment.
  private mutating func findLabVIEW(_ first: String) -> Bool {
    guard first.hasPrefix("LabVIEW Measurement") else { return false }
    let delimiter: Character = lines.contains { $0.hasPrefix("Separator,Comma") } ? "," : "\t"
    let rows = lines.map { cells($0, delimiter) }
    func isSet(_ name: String, _ value: String) -> Bool {
      rows.contains { $0.count > 1 && $0[0] == name && $0[1] == value }
    }
    guard let row = rows.firstIndex(where: { $0[0] == "X_Value" }), isSet("X_Columns", "One"),
      isSet("X_Dimension", "Time"), !isSet("Time_Pref", "Absolute")
    else { return false }
    let names = rows[row].dropFirst().prefix { $0 != "Comment" && !$0.isEmpty }
    shape.delimiter = delimiter == "," ? UInt8(ascii: ",") : UInt8(ascii: "\t")
    (shape.skipped, shape.header) = (row, (["time (s)"] + names).joined(separator: String(delimiter)))
    shape.taken = 0..<(names.count + 1)
    shape.notices.append("it is a measurement file of LabVIEW: the time is its column 1, in seconds")
    return true
  }
}
