import SluiceReadings

/// Comma-separated values: RFC 4180, UTF-8, LF, one header row.
package struct CSVFormat: OutputFormat {
  package static let name = "csv"
  package static let extensions = ["csv"]

  private let rows: CSVLayout
  package var layout: CSVLayout? { rows }

  package init(layout: CSVLayout) { rows = layout }

  package init(_ options: FormatOptions) throws(SluiceError) {
    guard options.isGrowing else {
      rows = options.layout ?? options.traceLayout ?? (options.streamCount == 1 ? .wide : .long)
      return
    }
    guard options.layout != .wide else {
      throw SluiceError(
        .unsupported, "write", options.path,
        because: "the streams of a trace that comes from a pipe are not known before its end",
        remedy: "take the long layout and one file, or give the trace as a file")
    }
    rows = .long
  }

  /// A column of a wide file belongs to one channel.
  package func check(_ streams: [StreamDescription], of path: String) throws(SluiceError) {
    // A foreign trace keeps its headers, whatever they are.
    guard rows == .wide, !(streams.count == 1 && streams[0].hasForeignColumns) else { return }
    var seen: Set = ["time_ns"]
    for column in streams.flatMap(\.columns) where !seen.insert(column).inserted {
      throw SluiceError(
        .usage, "write", path, because: "two columns would be called \"\(column)\"",
        remedy: "give a source another name, or take the long layout")
    }
  }

  package func store(_ file: ClaimedFile, _ streams: EncoderStreams) -> any RecordStore {
    EncodedStore(file) { CSVEncoder(layout: rows, streams) }
  }
}
