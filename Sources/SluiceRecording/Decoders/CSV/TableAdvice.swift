import SluiceReadings

/// Finds the options with which a table is read that cannot be read as it is. They are tried on its first lines before a
/// message names them.
struct TableAdvice {
  private let text: TableText
  private let given: TableOptions

  private static let period = RowPeriod(nanoseconds: 10_000_000)

  /// - Parameter given: What the user has given, which is kept.
  init(_ text: TableText, _ given: TableOptions) { (self.text, self.given) = (text, given) }

  /// The options; several if only the user knows which are right. None if the file cannot be read with any, or needs none.
  func options() -> [TableOptions] {
    let bytes = Array(text.bytes) + [UInt8(ascii: "\n")]
    guard given.format.dbc == nil, let rows = TableRows(text, from: given.format.skippedLines ?? 0),
      !reads(given, bytes, rows)
    else { return [] }
    var found: [TableOptions] = []
    for time in rows.times {
      for format in time.formats {
        // What leaves out no row comes first. With a period, the time is that of the
        // number of the row, so a row that is left out changes the later times.
        func rank(_ options: TableOptions) -> Int {
          guard options.skipsBad else { return 0 }
          return options.format.period == nil || options.format.skippedLines != nil ? 1 : 2
        }
        let all = candidates(time, format, rows).enumerated().sorted {
          (rank($0.element), $0.element.count, $0.offset) < (rank($1.element), $1.element.count, $1.offset)
        }
        // A column whose first cell is text would be left out, unless that line is.
        let options = [rows.numbers(besides: time), 1].lazy.compactMap { channels in
          all.first { reads($0.element, bytes, rows, channels: channels) }?.element
        }.first
        if let options, !found.contains(options) { found.append(options) }
      }
    }
    return found
  }

  /// The error with the options in its remedy.
  func advised(_ error: SluiceError) -> SluiceError {
    // No option helps against an error of the disk, or damage of compressed data.
    guard error.errno == nil, error.code == .malformed || error.code == .usage else { return error }
    let found = options()
    guard let first = found.first else { return error }
    // The sentence of an option that is missing alone has more to say about it.
    let said = error.remedy ?? ""
    let isSaid =
      found.allSatisfy { $0.count == 1 } && said.contains(first.text)
      && found.dropFirst().allSatisfy { said.contains(" or \($0.words.last ?? "")") }
    if isSaid { return error }
    var advised = error
    let notes = notes(found.map(\.format))
    advised.remedy =
      "it is read with \(found.map(\.text).joined(separator: ", or with "))" + (notes.isEmpty ? "" : " (\(notes))")
    return advised
  }

  /// What only the user knows.
  private func notes(_ found: [TraceFormat]) -> String {
    var notes: [String] = []
    let hasNames = given.format.columnNames.isEmpty
    if hasNames, found.contains(where: { !$0.columnNames.isEmpty }) { notes.append("other names are possible") }
    if given.format.date == nil, found.contains(where: { $0.date != nil }) { notes.append("the date is an example") }
    if given.format.period == nil, found.contains(where: { $0.period != nil }) {
      notes.append("the period is an example")
    }
    if given.format.timeUnit == nil, found.contains(where: { $0.timeUnit != nil }) {
      notes.append("the unit of its times may be ms, us or ns")
    } else if hasNames, found.contains(where: { $0.columnNames.contains("time_s") }) {
      notes.append("time_ms, time_us and time_ns are other units")
    }
    return notes.joined(separator: "; ")
  }

  // MARK: Candidates

  private func candidates(_ time: TableRows.Time, _ format: String?, _ rows: TableRows) -> [TableOptions] {
    var headers: [(skipped: Int?, names: [String], isNamed: Bool)] = []
    if let header = rows.header {
      headers.append((nil, header.names, false))
      if !rows.hasOthers(before: header.line) { headers.append((header.line, header.names, false)) }
    }
    // Rows before the first one that is like the others would be left out without being counted.
    let first = rows.rows.first.flatMap { rows.hasOthers(before: $0) ? nil : $0 }
    // A name that has no cells is of damage, or of an empty column: nobody knows which one it is.
    if !rows.isShort {
      let names = given.format.columnNames.isEmpty ? names(time, rows) : given.format.columnNames
      headers.append((nil, names, true))
      if let first { headers.append((first, names, true)) }
    }
    var candidates: [TableOptions] = []
    for header in headers {
      for column in time.columns.isEmpty ? [nil] : [nil, Self.said(time, header.names)] {
        for (unit, date, period) in Self.clocks(time) {
          var options = given
          if options.format.skippedLines == nil { options.format.skippedLines = header.skipped }
          if header.isNamed { options.format.columnNames = header.names }
          if options.format.timeColumn == nil { options.format.timeColumn = column }
          if options.format.timeUnit == nil { options.format.timeUnit = unit }
          if options.format.timeFormat == nil { options.format.timeFormat = format }
          if options.format.date == nil { options.format.date = date }
          if options.format.period == nil { options.format.period = period }
          candidates.append(options)
          options.skipsBad = true
          if !given.skipsBad { candidates.append(options) }
        }
      }
    }
    return candidates
  }

  /// The time column as it is given.
  private static func said(_ time: TableRows.Time, _ names: [String]) -> String {
    time.columns.map { said($0, names) }.joined(separator: ",")
  }

  private static func said(_ column: Int, _ names: [String]) -> String {
    let name = names.indices.contains(column) ? names[column] : ""
    if !name.isEmpty, !name.contains(","), NamedColumn(name, in: names) == .one(column) { return name }
    return NamedColumn("\(column + 1)", in: names) == .one(column) ? "\(column + 1)" : "number:\(column + 1)"
  }

  private static func clocks(
    _ time: TableRows.Time
  ) -> [(unit: TraceFormat.Unit?, date: String?, period: RowPeriod?)] {
    if time.columns.isEmpty { return [(nil, nil, period)] }
    if time.isTimeOfDay { return [(nil, nil, nil), (nil, "2024-03-14", nil)] }
    return time.isNumber ? [(nil, nil, nil), (.seconds, nil, nil)] : [(nil, nil, nil)]
  }

  /// Names for columns without: those of its header, or letters.
  private func names(_ time: TableRows.Time, _ rows: TableRows) -> [String] {
    if let header = rows.header, !header.names.contains(where: { $0.isEmpty || $0.contains(",") }) {
      return header.names
    }
    var letters = rows.columns.indices.map { index in
      index < 26 ? String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index))) : "c\(index + 1)"
    }[...]
    return rows.columns.indices.map { column in
      guard let place = time.columns.firstIndex(of: column) else { return letters.popFirst() ?? "c\(column + 1)" }
      if time.isNumber { return rows.isEpoch(column) ? "time" : "time_s" }
      return place == time.columns.count - 1 ? "time" : "date"
    }
  }

  // MARK: Trials

  /// Whether all rows are read, and all lines if bad rows are not left out.
  private func reads(_ options: TableOptions, _ bytes: [UInt8], _ rows: TableRows, channels: Int = 1) -> Bool {
    // The command refuses these.
    let format = options.format
    let isOfTime =
      format.timeColumn != nil || format.timeUnit != nil || format.timeFormat != nil || format.date != nil
      || format.timezone != nil
    if format.period != nil, isOfTime { return false }
    do throws(SluiceError) {
      var settings = OpenTrace.Options(format: format, skipped: options.skipsBad ? SkippedRows() : nil, kinds: [])
      settings.givesAdvice = false
      let trace = try CSVTrace.open(TraceFile(.memory(bytes), path: "-"), settings)
      let least = format.columns.isEmpty ? channels : 1
      guard trace.decoder.list.streams.reduce(0, { $0 + $1.channels.count }) >= least else { return false }
      return try count(trace.decoder) >= rows.rows.count
    } catch {
      return false
    }
  }

  private func count(_ decoder: any TraceDecoder) throws(SluiceError) -> Int {
    var readings = [Reading](repeating: .empty, count: 64)
    var sum = 0
    while true {
      let count = try readings.withUnsafeMutableBufferPointer { target in
        Result { () throws(SluiceError) in try decoder.read(into: target) }
      }.get()
      guard count > 0 else { return sum }
      sum += count
    }
  }
}
