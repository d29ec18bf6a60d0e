package import SluiceReadings

/// Comma-separated values, as this library or anybody else wrote them.
package enum CSVTrace: TraceKind {
  package static let form = "CSV that begins with a row of column names"
  package static let extensions = ["csv"]

  /// Any text is taken, because errors in a header have sentences of their own.
  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && !"\t\n\r\u{c}".utf8.contains(byte) }
    if beginning.prefix(while: { $0 != UInt8(ascii: "\n") }).contains(where: isControl) { return false }
    // A header may be in Latin-1, and a power cut leaves NULs. A file with both is of another kind.
    let header = beginning.prefix { $0 != UInt8(ascii: "\n") }
    let isUTF8 = beginning.count > header.count && String(decoding: header, as: UTF8.self).utf8.elementsEqual(header)
    return isUTF8 || !beginning.contains(where: isControl)
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let rows = CSVFile(file.name, file.source)
    let header = try TraceHeader(rows, file.name, options.format)
    let described = try file.describe(options)
    var metadata = described.metadata
    if let path = metadata?.path, let titles = metadata?.titles, titles != header.names {
      options.warn("\(path): its columns are not those of \(rows.name), which is read without it")
      metadata = nil
    }
    rows.leavesOutTornRow = metadata?.state == .unfinished
    let cells = TraceCells(
      columns: header.names.count, timeIndex: header.timeIndex, unit: options.format.timeUnit)
    let decoder: any TraceDecoder
    if header.isLong {
      decoder = try long(rows, cells, metadata)
    } else {
      var columns: TraceColumns?
      if let described = metadata?.streams, let path = metadata?.path {
        columns = TraceColumns(described, of: header)
        if columns == nil {
          options.warn("\(path): its channels are not the columns of \(rows.name), which is read without it")
          metadata = nil
        }
      }
      decoder = try wide(rows, cells, columns ?? TraceColumns(header, stem: file.stem), metadata)
    }
    rows.warn = options.warn
    return OpenTrace(
      decoder: decoder, layout: header.isLong ? .long : .wide, metadata: metadata, inputs: described.inputs)
  }

  private static func wide(
    _ file: CSVFile, _ cells: TraceCells, _ columns: TraceColumns, _ metadata: TraceMetadata?
  ) throws(SluiceError) -> any TraceDecoder {
    let largest = columns.streams.map(\.channels.count).max() ?? 0
    guard largest <= Values.capacity else {
      throw SluiceError(
        .unsupported, "read", file.name,
        because: "it has \(largest) channels in one stream and \(Values.capacity) is the limit")
    }
    let marks = TraceMarks(metadata, columns.streams)
    if columns.streams.count == 1 { return CSVDecoder(file, OneStreamRows(columns.streams[0], cells), marks) }
    return CSVDecoder(file, SharedRows(columns, cells), marks)
  }

  private static func long(
    _ file: CSVFile, _ cells: TraceCells, _ metadata: TraceMetadata?
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
      streams = try LongRows.survey(file, cells, known)
      try file.rewind()
      _ = try file.nextRow()
      unknown = ("was not there when the file was read first", "wait until nobody writes the file")
    }
    return CSVDecoder(file, LongRows(streams, cells, unknown: unknown), TraceMarks(metadata, streams))
  }
}
