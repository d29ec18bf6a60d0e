import SluiceReadings
@_spi(Preview) import SluiceRecording

/// Reads what ``TabFormat`` has written.
enum TabTrace: TraceKind {
  static let form = "rows with tabs"
  static let extensions = ["tsv"]

  static func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: "#tab\n".utf8) }

  static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let (metadata, inputs) = try file.describe(options)
    let streams = metadata?.streams ?? []
    let lines = TraceLines(file, options)
    let decoder = LineDecoder(lines, TabRows(streams), TraceMarks(metadata, streams))
    return OpenTrace(decoder: decoder, metadata: metadata, inputs: inputs)
  }
}

struct TabRows: LineReadings {
  let list: StreamList
  private let names: [String]

  init(_ streams: [StreamDescription]) { (list, names) = (StreamList(streams), streams.map(\.name)) }

  func reading(_ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines) throws(SluiceError) -> Reading? {
    let cells = String(decoding: line, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false)
    if cells.first == "#tab" { return nil }
    guard cells.count > 2, let time = Int64(cells[0]), let stream = names.firstIndex(of: String(cells[1])) else {
      throw lines.malformed("it has no time and no known stream")
    }
    let values = cells[2...].map { ExactDecimal(String($0)) ?? .missing }
    return Reading(time: time, stream: StreamID(UInt16(stream)), values: Values(values))
  }
}
