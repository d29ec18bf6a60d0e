package import SluiceReadings
import SluiceSystem

/// CSV files of this library or of other programs.
package enum CSVTrace: TraceKind {
  package static let form = "CSV that begins with a row of column names"
  package static let extensions = ["csv"]

  /// Accepts any text, because faults of a header have their own errors.
  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && !"\t\n\r\u{c}".utf8.contains(byte) }
    if beginning.prefix(while: { $0 != UInt8(ascii: "\n") }).contains(where: isControl) { return false }
    // A header may be in Latin-1, and a power cut leaves NULs. A file with both is of another kind.
    let header = beginning.prefix { $0 != UInt8(ascii: "\n") }
    let isUTF8 = beginning.count > header.count && String(decoding: header, as: UTF8.self).utf8.elementsEqual(header)
    return isUTF8 || !beginning.contains(where: isControl)
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let described = try file.describe(options)
    // The metadata knows the rest.
    let isDescribed = described.metadata != nil
    let (limit, skipped) = (isDescribed ? 8 << 10 : TableText.limit, isDescribed ? 0 : options.format.skippedLines ?? 0)
    var text = try look(at: file, limit, from: skipped)
    try checkKind(file, text.beginning)
    if !isDescribed, let decoding = decoding(of: text, file.name, options) {
      file.source.decode(decoding)
      text = try look(at: file, limit, from: skipped)
    }
    let rows = CSVFile(file.name, file.source)
    rows.skipsBad = options.skipped != nil
    if !isDescribed, options.givesAdvice, !file.isPipe {
      rows.advice = TableAdvice(text, TableOptions(format: options.format, skipsBad: rows.skipsBad))
    }
    do throws(SluiceError) {
      return try open(rows, text, file, described, options)
    } catch {
      throw rows.advice?.advised(error) ?? error
    }
  }

  private static func open(
    _ rows: CSVFile, _ text: TableText, _ file: TraceFile,
    _ described: (metadata: TraceMetadata?, inputs: [TraceInput]), _ options: OpenTrace.Options
  ) throws(SluiceError) -> OpenTrace {
    if text.lines.isEmpty, !text.isWhole {
      // Its reader may know what is wrong with a line of this length.
      _ = try rows.nextRow()
      throw rows.malformed(column: 1, "the header is longer than \(TableText.longest >> 20) MiB")
    }
    var format = options.format
    let shape = try TableSearch.shape(text, of: file.name, format, isDescribed: described.metadata != nil)
    if case .period = shape.form.clock { (format.timeColumn, format.timeUnit) = ("number:1", .nanoseconds) }
    for notice in shape.notices { options.warn("\(file.name): \(notice)") }
    rows.ends = CellEnds(shape.form)
    // A recording in a pipe needs only its header, so it does not wait for rows.
    let isRecording = shape.delimiter == UInt8(ascii: ",") && shape.names.first == "time_ns"
    let names = shape.names.map { String($0.trimmingSpaces) }
    // A header that comes again has no values.
    let sample = shape.rows(of: text, most: file.isPipe && isRecording ? 0 : 100).filter {
      shape.isWithoutHeader || $0 != names
    }
    rows.dialect.delimiter = shape.delimiter
    rows.dialect.look(at: sample, isPipe: file.isPipe)
    let header = try TraceHeader(shape, sample, of: file.name, isPipe: file.isPipe, format, described.metadata)
    try rows.begin(behind: shape.skipped)
    var reading = try TimeReading(format)
    var notices = header.notices
    reading.isElapsed = header.time.isElapsed
    if reading.zone == nil, header.time.unit == .iso8601, !reading.isElapsed, let zone = header.zoneOfTitle {
      reading.zone = zone
      // Times with a zone of their own are not read as those of another one.
      if !header.timesHaveZone {
        notices.append("\(rows.name): its times are read as those of \(zone.name), as the name of their column says")
      }
    }
    if reading.zone == nil, header.time.unit == .iso8601, !reading.isElapsed, !header.timesHaveZone,
      let word = header.zoneWord
    {
      throw SluiceError(
        .malformed, "read", rows.name,
        because: "the title of a time column has the zone \(word), which can have more than one offset",
        remedy:
          "give --timezone with a city of the zone, such as --timezone Europe/Berlin, or with an offset, such as --timezone +01:00"
      )
    }
    // What a row of a recording lacks is damage.
    if header.names[header.time.index] == "time_ns" { rows.advice = nil }
    try reading.check(header.time, of: file.name)
    // Generated names are not in the file.
    if !header.isWithoutHeader { rows.header = RepeatedHeader(header) }
    let selection = try TraceColumns.selection(header, format.columns, rows.name)
    var metadata = described.metadata
    if let path = metadata?.path, let titles = metadata?.titles, titles != header.names {
      options.warn("\(path): its columns are not those of \(rows.name), which is read without it")
      metadata = nil
    }
    rows.leavesOutTornRow = metadata?.state == .unfinished
    let times = TimeParser(
      header.time.unit, of: rows.name, zero: metadata?.zero ?? 0, pointBits: rows.dialect.timeBits,
      reading: reading)
    let decoder: any TraceDecoder
    var hasFlags = false
    if header.isLong {
      let cells = TraceCells([.time, .skipped, .skipped, .value], times, rows.dialect)
      decoder = try long(rows, cells, metadata, behind: shape.skipped)
    } else {
      var columns: TraceColumns?
      if let described = metadata?.streams, let path = metadata?.path {
        columns = TraceColumns(described, of: header)
        if columns == nil {
          options.warn("\(path): its channels are not the columns of \(rows.name), which is read without it")
          metadata = nil
        }
      }
      let isLogic = columns == nil && header.hasLevels
      var selected = columns ?? (isLogic ? TraceColumns(lines: header) : TraceColumns(header, stem: file.stem))
      if let selection { selected = selected.selecting(selection) }
      let cells = TraceCells(
        selected.roles(header), times, rows.dialect, shape.form, takesMarks: header.isForeign && metadata == nil,
        unseen: metadata == nil ? header.unseen : [])
      hasFlags = isLogic
      decoder =
        isLogic
        ? CSVDecoder(rows, EdgeRows(selected, cells), TraceMarks(nil, []))
        : try wide(rows, cells, selected, metadata)
    }
    if let metadata {
      if let notice = metadata.zeroNotice { options.warn(notice) }
    } else {
      for notice in notices { options.warn(notice) }
    }
    rows.begin(options)
    times.begin(options.warn)
    return OpenTrace(
      decoder: decoder, layout: header.isLong ? .long : hasFlags ? nil : .wide, metadata: metadata,
      inputs: described.inputs,
      hasFlags: hasFlags)
  }

  /// The first lines. From a pipe, it waits for the header and three rows, but at most one second after the first of them. A
  /// recording needs only its header.
  private static func look(at file: TraceFile, _ limit: Int, from start: Int) throws(SluiceError) -> TableText {
    var (limit, most) = (limit, TableText.most + start)
    while true {
      do throws(SystemErrno) {
        let (bytes, isWhole) = try file.source.peekAll(limit) { bytes in
          file.isPipe ? TableText(bytes, isWhole: false, most: most).isEnough(from: start) : .no
        }
        let text = TableText(bytes, isWhole: isWhole, most: most)
        if text.isWhole || text.isEnough(from: start) != .no || limit >= TableText.longest {
          return file.isPipe ? text.prefix(rows: TableText.rowsOfPipe, from: start) : text
        }
        // A header, or what stands before it, may be longer.
        (limit, most) = (limit * 4, most * 4)
      } catch {
        throw SluiceError(reading: file.name, error)
      }
    }
  }

  /// Text of other programs that looks like CSV without a header.
  private static func checkKind(_ file: TraceFile, _ beginning: [UInt8]) throws(SluiceError) {
    let words = beginning.filter { $0 != 0x20 && !(0x09...0x0d).contains($0) }
    if words.first == UInt8(ascii: "["), words.dropFirst().first.map({ "{[".utf8.contains($0) }) ?? true {
      throw SluiceError(
        .unsupported, "read", file.name, because: "it begins with a JSON array, which is not read",
        remedy: "give JSON Lines, one object per line: jq -c '.[]'")
    }
  }

  /// How a text is read that is not UTF-8, or whose lines end with a carriage return alone; nil for others.
  private static func decoding(
    of text: TableText, _ name: String, _ options: OpenTrace.Options
  ) -> TextDecoding? {
    let bytes = text.beginning
    let hasReturns = bytes.contains(UInt8(ascii: "\r")) && !bytes.contains(UInt8(ascii: "\n"))
    // The last character may be cut off. With NUL bytes, it is damage.
    let isUTF8 = bytes.contains(0) || (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    guard hasReturns || !isUTF8 else { return nil }
    if hasReturns { options.warn("\(name): its lines end with a carriage return alone") }
    if !isUTF8 { options.warn("\(name): its text is not UTF-8, and is read as Windows-1252") }
    return TextDecoding(isUTF8 ? .utf8 : .windows1252, hasReturns: hasReturns)
  }

  private static func wide(
    _ file: CSVFile, _ cells: TraceCells, _ columns: TraceColumns, _ metadata: TraceMetadata?
  ) throws(SluiceError) -> any TraceDecoder {
    let largest = columns.streams.map(\.channels.count).max() ?? 0
    guard largest <= Values.capacity else {
      throw SluiceError(
        .unsupported, "read", file.name,
        because: "it has \(largest) channels in one stream, but \(Values.capacity) is the limit",
        remedy: "choose some with --columns")
    }
    let marks = TraceMarks(metadata, columns.streams)
    if columns.streams.count == 1 { return CSVDecoder(file, OneStreamRows(columns, cells), marks) }
    return CSVDecoder(file, SharedRows(columns, cells), marks)
  }

  private static func long(
    _ file: CSVFile, _ cells: TraceCells, _ metadata: TraceMetadata?, behind count: Int
  ) throws(SluiceError) -> any TraceDecoder {
    let streams: [StreamDescription]
    var unknown: (cause: String, remedy: String)?
    switch StreamKnowledge(metadata, isPipe: file.mayWait) {
    case .described(let described):
      streams = described
      unknown = (
        "is not in \(metadata?.path ?? "its metadata")", "repair it, or move it away to read the trace without it"
      )
    case .learned: streams = []
    case .readTwice(let known):
      // The second pass reports a header that comes again.
      let header = file.header
      streams = try LongRows.survey(file, cells, known)
      try file.rewind()
      try file.begin(behind: count)
      file.header = header
      unknown = ("was not there when the file was read first", "wait until no program writes the file")
    }
    let rows = LongRows(streams, cells, unknown: unknown)
    // Not all described streams: the rows have none of a stream without channels, and the others are numbered without it.
    return CSVDecoder(file, rows, TraceMarks(metadata, rows.list.streams))
  }
}
