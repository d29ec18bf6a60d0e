package import SluiceReadings

/// Comma-separated values: RFC 4180, UTF-8, LF, one header row.
package struct CSVFormat: EncodedFormat {
  package static let name = "csv"
  package static let extensions = ["csv"]
  package static let takesTimes = true

  package static func time(ofRow row: ArraySlice<UInt8>) -> Int64? {
    Int64(String(decoding: row.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
  }

  /// The first line is the header.
  package static func mayHaveReading(_ file: [UInt8]) -> Bool {
    let header = file.prefix { $0 != UInt8(ascii: "\n") }
    return file[header.endIndex...].dropFirst().contains(UInt8(ascii: "\n"))
  }

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

  /// Checks that each column of a wide file, and each pair of names in the long layout, belongs to one channel.
  package func check(_ streams: [StreamDescription], of path: String, _ style: RowStyle) throws(SluiceError) {
    if rows == .long { try checkRows(streams, of: path) }
    // A foreign trace keeps its headers unchanged.
    guard rows == .wide, !(streams.count == 1 && streams[0].hasForeignColumns) else { return }
    var seen = Set([RowTime.nanoseconds, style.time].map { ExactName($0.column) })
    for column in streams.flatMap(\.columns) where !seen.insert(ExactName(column)).inserted {
      throw SluiceError(
        .usage, "write", path, because: "two columns would be called \"\(column)\"",
        remedy: "give a source another name, or take the long layout")
    }
  }

  /// Two different names may be the same in cells.
  private func checkRows(_ streams: [StreamDescription], of path: String) throws(SluiceError) {
    var owners: [ExactName: String] = [:]
    for stream in streams {
      let cell = StreamDescription.cell(stream.name)
      if let other = owners.updateValue(stream.name, forKey: ExactName(cell)), !other.isExactly(stream.name) {
        throw SluiceError(
          .usage, "write", path, because: "two streams would be called \"\(cell)\" in its rows",
          remedy: "give a source another name, or write JSON Lines")
      }
      let channels = stream.channels.map(\.name)
      guard Set(channels.map { ExactName(StreamDescription.cell($0)) }).count == Set(channels.map(ExactName.init)).count
      else {
        throw SluiceError(
          .usage, "write", path, because: "two channels of \"\(cell)\" would have the same name in its rows",
          remedy: "write JSON Lines")
      }
    }
  }

  package func encoder(_ streams: EncoderStreams) -> CSVEncoder { CSVEncoder(layout: rows, streams) }
}
