import SluiceReadings

/// A file of a sensor's lines, such as a log of a serial port. Its bytes do not show what it is, so the user says it.
package enum LineTrace {
  /// Opens a file as lines of a form.
  package static func opener(_ form: LineForm) -> OpenTrace.Opener {
    { file, options throws(SluiceError) in try open(file, options, form) }
  }

  private static func open(
    _ file: TraceFile, _ options: OpenTrace.Options, _ form: LineForm
  ) throws(SluiceError) -> OpenTrace {
    guard !file.isPipe else {
      throw SluiceError(
        .unsupported, "read the lines of", file.name, because: "a pipe can be read only once",
        remedy: "write it to a file first, or record it: sluice record lines:-")
    }
    var form = form
    // Their lines have one time, whose name is known.
    if form.kind == .nmea { form.time = form.time ?? "utc" }
    if form.kind == .influx { form.time = form.time ?? "time" }
    guard form.time != nil else {
      throw SluiceError(
        .usage, "read the lines of", file.name, because: "nothing says when they came",
        remedy: "say which of their values is the time: --lines time=COLUMN")
    }
    let described = try file.describe(options)
    let lines = TraceLines(file)
    lines.skipsBad = options.skipped != nil
    var learner = LineLearner(form, stream: file.stem)
    var grammar = try learner.grammar(isLast: false)
    while grammar == nil {
      guard let line = try lines.next() else { break }
      learner.add(Array(line))
      grammar = try learner.grammar(isLast: false)
    }
    if grammar == nil { grammar = try learner.grammar(isLast: true) }
    guard var grammar else {
      throw SluiceError(.malformed, "read the lines of", file.name, because: "it has none")
    }
    try lines.rewind()
    if var sentences = grammar as? NMEALines {
      var first: [[UInt8]] = []
      while first.count < 1_000, let line = try lines.next() { first.append(Array(line)) }
      sentences.findDate(in: first)
      grammar = sentences
      try lines.rewind()
    }
    lines.begin(options)
    return OpenTrace(
      decoder: LineDecoder(lines, GrammarReadings(grammar), TraceMarks(nil, [])), metadata: nil,
      inputs: described.inputs)
  }
}

/// The readings of lines in a ``LineGrammar``.
private struct GrammarReadings: LineReadings {
  let list: StreamList
  private var grammar: any LineGrammar
  private var reading = Reading.empty
  private var saysMore = true
  private var saysRounded = true
  /// By stream, whether a line was left out before its next reading.
  private var isLost: [Bool]

  init(_ grammar: any LineGrammar) {
    (self.grammar, list) = (grammar, StreamList(grammar.streams))
    isLost = grammar.streams.map { _ in false }
  }

  mutating func reading(
    _ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines
  ) throws(SluiceError) -> Reading? {
    reading.flags = []
    switch grammar.parse(line, into: &reading) {
    case .nothing: return nil
    case .fault(let fault):
      for index in isLost.indices { isLost[index] = true }
      throw lines.malformed(fault.cause)
    case .readingOfSome:
      if saysMore {
        saysMore = false
        lines.warn("\(lines.name): line \(lines.line) has a name that the first lines did not have; it is left out")
      }
    case .reading: break
    }
    if saysRounded, grammar.hasRounded {
      saysRounded = false
      lines.warn(
        "\(lines.name): line \(lines.line): a number has more digits than fit in 64 bits; such numbers are rounded")
    }
    let stream = Int(reading.stream.index)
    if isLost[stream] { reading.flags.insert(.gapBefore) }
    isLost[stream] = false
    return reading
  }
}
