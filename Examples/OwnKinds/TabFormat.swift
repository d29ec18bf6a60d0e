import SluiceReadings
import SluiceRecording

/// Rows with tabs: the time, the stream, and the values.
struct TabFormat: EncodedFormat {
  static let name = "tab"
  static let extensions = ["tsv"]

  init(_ options: FormatOptions) {}

  func encoder(_ streams: EncoderStreams) -> TabEncoder { TabEncoder(streams) }
}

final class TabEncoder: RowEncoder {
  let header = Array("#tab\n".utf8)
  private var streams: EncoderStreams

  init(_ streams: EncoderStreams) { self.streams = streams }

  var base: Int { streams.base }
  var streamCount: Int { streams.streams.count }
  func describe(_ streams: [StreamDescription]) { self.streams.streams = streams }

  func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool {
    let values = reading.pointee.values.enumerated().map { streams.text(of: $1, channel: $0, stream: stream) ?? "" }
    let cells = ["\(reading.pointee.time)", streams.streams[stream].name] + values
    text.append(cells.joined(separator: "\t") + "\n")
    return true
  }
}
