import SluiceReadings
import SluiceSystem

extension OpenTrace {
  /// Opens the parts of a recording as one trace, in the order of their numbers.
  ///
  /// It reads all metadata at once, and opens each part without metadata for its streams. So a part that does not fit
  /// is found before anything is written. Later, each part is opened again when the previous part is at its end.
  init(_ series: RecordedParts, _ options: Options) throws(SluiceError) {
    try series.check()
    if let text = series.missingText { options.warn(text) }
    var known = KnownParts(options.times)
    for path in series.paths {
      try Self.checkInterrupt(path, options)
      try known.look(at: path, options)
    }
    guard let path = known.paths.first else {
      throw SluiceError(.malformed, "read", series.path, because: "none of its parts has a whole line")
    }
    let assumed = known.assumed
    let first = try Self.part(path, assumed, options)
    let form = Form(first)
    var streams = PartStreams(first.decoder.list.streams, of: path, mayGrow: form.namesStreams)
    for (other, described) in known.described { try streams.add(described, of: other, isDescribed: true) }
    var silent = options
    silent.warn = { _ in }
    for other in known.undescribed where other != path {
      try Self.checkInterrupt(other, options)
      let trace = try Self.part(other, assumed, silent)
      try form.check(trace, other, path)
      try streams.add(trace.decoder.list.streams, of: other)
    }
    let undescribed = Set(known.undescribed)
    let parts = known
    var decoder: any TraceDecoder = try PartsDecoder(
      (path, first.decoder), then: Array(known.paths.dropFirst()), streams, rowsHaveFlags: first.hasFlags,
      restarted: known.restarted
    ) {
      (other) throws(SluiceError) -> any TraceDecoder in
      let trace = try Self.part(other, assumed, options, known: parts.metadata(of: other))
      // A part with metadata may be of a run with other streams, and so with another layout.
      if undescribed.contains(other) { try form.check(trace, other, path) }
      return trace.decoder
    }
    let restarts = known.metadata.listedRestarts
    if !restarts.isEmpty { decoder = ListedRestartsDecoder(decoder, restarts) }
    self.init(
      decoder: decoder, layout: first.layout,
      metadata: known.metadata.whole(missing: series.missing.reduce(0) { $0 + $1.count }), inputs: known.inputs,
      hasFlags: first.hasFlags)
  }

  /// The format of a part, which must be the same in all parts without metadata.
  private struct Form: Hashable {
    let layout: CSVLayout?
    let hasFlags: Bool
    /// Whether rows name their streams, as in the long layout and in JSON Lines.
    var namesStreams: Bool { layout == .long || hasFlags }

    init(_ trace: OpenTrace) { (layout, hasFlags) = (trace.layout, trace.hasFlags) }

    func check(_ trace: OpenTrace, _ path: String, _ first: String) throws(SluiceError) {
      guard Form(trace) != self else { return }
      throw SluiceError(
        .malformed, "read", path, because: "its format or layout is another than that of \(first)",
        remedy: "give it alone, or move it out of the folder")
    }
  }

  /// Opens one part.
  private static func part(
    _ path: String, _ assumed: TraceMetadata?, _ options: Options, known: TraceMetadata? = nil
  ) throws(SluiceError) -> OpenTrace {
    guard let source = try source(path) else {
      throw SluiceError(.malformed, "read", path, because: "it is no regular file any more")
    }
    var file = TraceFile(source, path: path)
    file.assumed = assumed
    file.known = known
    file.isPart = true
    return try open(file, options)
  }

  private static func checkInterrupt(_ path: String, _ options: Options) throws(SluiceError) {
    if options.isInterrupted() { throw SluiceError(reading: path, SystemErrno(EINTR)) }
  }

  /// Warns that a file is read without the parts beside it.
  static func warnOfParts(of path: String, _ options: Options) {
    // A part has no parts, and a list of the folder for each of thousands of them takes long.
    if PartName(fileName(of: path)) != nil { return }
    guard let series = RecordedParts(of: path, options.compressions), let first = series.firstPart else { return }
    let count = series.partCount
    options.warn(
      "\(path): it is read alone, without the \(count == 1 ? "part" : "\(count) parts") of this name beside it "
        + "(\(first)\(count == 1 ? "" : " and so on")); give the folder to read all")
  }
}
