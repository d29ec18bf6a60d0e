package import SluiceReadings

/// Value change dumps (IEEE 1364) of this library, a simulator or a logic analyser.
///
/// A file of this library has a comment with the time of `#0` before its first value, and writes each reading with all
/// its channels. So a variable that comes a second time begins a new reading, even within one time. In any other file,
/// a stream has one reading for each time at which one of its values changed.
package enum VCDTrace: TraceKind {
  package static let form = "a value change dump (VCD)"
  package static let extensions = ["vcd"]

  private static let keywords = ["date", "version", "timescale", "comment", "scope", "var", "enddefinitions"].map {
    Array("$\($0)".utf8)
  }

  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    let text = beginning.drop(while: VCDText.isSpace)
    guard text.first == UInt8(ascii: "$") else { return false }
    return keywords.contains(Array(text.prefix { !VCDText.isSpace($0) }))
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let described = try file.describe(options)
    var metadata = described.metadata
    let text = VCDText(file)
    text.lines.warn = options.warn
    let header = try VCDHeader(text)
    var known: VCDStreams?
    if let described = metadata?.streams, let path = metadata?.path {
      known = VCDStreams(described, of: header)
      if known == nil {
        options.warn("\(path): its streams are not the variables of \(file.name), which is read without it")
        metadata = nil
      }
    }
    text.lines.leavesOutTornLine = metadata?.state == .unfinished
    let streams: VCDStreams
    if let known { streams = known } else { streams = try VCDStreams(header, file) }
    if let sentence = streams.leftOut { options.warn("\(file.name): \(sentence)") }
    if header.unit == nil { options.warn("\(file.name): it has no $timescale, and its times are taken as nanoseconds") }
    let decoder = VCDDecoder(
      text, header, streams, TraceMarks(metadata, streams.streams), hasFlags: known != nil)
    return OpenTrace(decoder: decoder, metadata: metadata, inputs: described.inputs)
  }
}
