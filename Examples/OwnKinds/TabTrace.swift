import SluiceReadings
import SluiceRecording

/// Reads what ``TabFormat`` has written.
enum TabTrace: TraceKind {
  static let form = "rows with tabs"
  static let extensions = ["tsv"]

  static func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: "#tab\n".utf8) }

  static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let (metadata, inputs) = try file.describe(options)
    let streams = metadata?.streams ?? []
    let lines = TraceLines(file, options, metadata)
    let decoder = LineDecoder(lines, TabRows(streams), TraceMarks(metadata, streams))
    return OpenTrace(decoder: decoder, metadata: metadata, inputs: inputs)
  }
}

struct TabRows: LineReadings {
  let list: StreamList
  private let streams: [StreamDescription]

  init(_ streams: [StreamDescription]) { (list, self.streams) = (StreamList(streams), streams) }

  func reading(_ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines) throws(SluiceError) -> Reading? {
    let cells = String(decoding: line, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false)
    if cells.first == "#tab" { return nil }
    guard cells.count > 2, let time = Int64(cells[0]),
      let stream = streams.firstIndex(where: { $0.name == cells[1] }), cells.count == 2 + streams[stream].channels.count
    else { throw lines.malformed("it has no time, no known stream, or not as many values as the stream has channels") }
    var values = Values()
    for cell in cells[2...] {
      guard let value = cell.isEmpty ? .missing : ExactDecimal(cell) else {
        throw lines.malformed("\"\(cell)\" is not a number")
      }
      values.append(value)
    }
    return Reading(time: time, stream: StreamID(UInt16(stream)), values: values)
  }
}
