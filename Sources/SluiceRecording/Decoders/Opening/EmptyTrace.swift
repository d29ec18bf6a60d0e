import SluiceReadings

/// The decoder of a recording without a reading, in a format without a header: its file has 0 bytes.
final class EmptyDecoder: TraceDecoder {
  let list: StreamList

  /// - Parameter streams: The streams, by the metadata.
  init(_ streams: [StreamDescription]) { list = StreamList(streams) }

  var hasNext: Bool { true }
  var mayWait: Bool { false }

  func read(into target: UnsafeMutableBufferPointer<Reading>) -> Int { 0 }
}

extension OpenTrace {
  /// Opens a file of 0 bytes as a recording of the streams that its metadata describes, such as unchanged lines.
  /// - Returns: Nil if there is no such metadata. Then nothing says what the file is.
  static func empty(_ file: TraceFile, _ options: Options) throws(SluiceError) -> OpenTrace? {
    let (metadata, inputs) = try file.describe(options)
    guard let metadata, let streams = metadata.streams else { return nil }
    file.close()
    return OpenTrace(
      decoder: EmptyDecoder(streams), layout: metadata.titles.map { CSVLayout.isLong($0) ? .long : .wide },
      metadata: metadata, inputs: inputs, hasFlags: metadata.titles == nil)
  }
}
