import SluiceReadings

/// A trace that has been opened: its decoder, and what is known of it.
struct OpenTrace {
  var decoder: any TraceDecoder
  /// Nil for several files.
  var layout: CSVLayout?
  var metadata: TraceMetadata?
  var inputs: [TraceInput] = []

  /// How a trace is to be read.
  struct Options {
    var format = TraceFormat()
    var warn: @Sendable (String) -> Void = { _ in }
    var isInterrupted: @Sendable () -> Bool = { false }
  }

  /// - Parameter path: A file, a folder of files, or `-` for standard input.
  init(path: String, _ options: Options) throws(SluiceError) {
    let name = path == "-" ? "standard input" : path
    let source: ByteSource
    do throws(SystemErrno) {
      source = try .file(path, isInterrupted: options.isInterrupted)
    } catch {
      throw CSVFile.error(error, name)
    }
    if source.isDirectory {
      try self.init(folder: source, path: path, options)
    } else {
      try self.init(file: source, path: path, name: name, options)
    }
    source.isInterrupted = nil
  }

  /// One CSV file, with the metadata beside it.
  init(file source: ByteSource, path: String, name: String, _ options: Options) throws(SluiceError) {
    let file = CSVFile(name, source)
    let header = try TraceHeader(file, name, options.format)
    var inputs = [source.input(path)]
    var metadata: TraceMetadata?
    if path != "-", source.isRegularFile, let beside = try TraceMetadata.find(beside: path) {
      inputs.append(beside.input)
      metadata = try Self.addingEarlier(beside.metadata, of: path, options, &inputs)
    }
    try self.init(file, header, path, metadata, options)
    self.inputs = inputs
  }

  /// A trace that is in memory.
  init(
    _ bytes: [UInt8], name: String, metadata: [UInt8]? = nil, _ options: Options = Options()
  ) throws(SluiceError) {
    let file = CSVFile(name, .memory(bytes))
    let header = try TraceHeader(file, name, options.format)
    var described: TraceMetadata?
    if let metadata { described = try TraceMetadata(metadata, path: TraceMetadata.path(beside: name)) }
    try self.init(file, header, name, described, options)
  }

  private init(
    _ file: CSVFile, _ header: TraceHeader, _ path: String, _ metadata: TraceMetadata?, _ options: Options
  ) throws(SluiceError) {
    var metadata = metadata
    if let path = metadata?.path, metadata?.titles != header.names {
      options.warn("\(path): its columns are not those of \(file.name), which is read without it")
      metadata = nil
    }
    layout = header.isLong ? .long : .wide
    file.leavesOutTornRow = metadata?.state == .unfinished
    let cells = TraceCells(
      columns: header.names.count, timeIndex: header.timeIndex, unit: options.format.timeUnit)
    if header.isLong {
      decoder = try Self.long(file, cells, metadata)
    } else {
      var columns: TraceColumns?
      if let described = metadata?.streams, let path = metadata?.path {
        columns = TraceColumns(described, of: header)
        if columns == nil {
          options.warn("\(path): its channels are not the columns of \(file.name), which is read without it")
          metadata = nil
        }
      }
      decoder = try Self.wide(file, cells, columns ?? TraceColumns(header, stem: Self.stem(path)), metadata)
    }
    self.metadata = metadata
    file.warn = options.warn
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
    let described = metadata?.streams
    let streams: [StreamDescription]
    var unknown: (cause: String, remedy: String)?
    if let metadata, let described, metadata.earlier?.isEmpty ?? true, !metadata.hasUndescribedRows {
      streams = described
      unknown = ("is not in \(metadata.path)", "repair it, or move it away to read the trace without it")
    } else if file.mayWait {
      streams = []
    } else {
      // Rows of an earlier recording may have other streams than those described.
      streams = try LongRows.survey(file, cells, described ?? [])
      try file.rewind()
      _ = try file.nextRow()
      unknown = ("was not there when the file was read first", "wait until nobody writes the file")
    }
    return CSVDecoder(file, LongRows(streams, cells, unknown: unknown), TraceMarks(metadata, streams))
  }

  private static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}
