package import SluiceReadings
package import SluiceRecording

/// MCAP, which the viewers and the tools of robotics read: a channel of messages for each stream.
package struct MCAPFormat: RecordingFormat {
  package static let name = "mcap"
  package static let extensions = ["mcap"]
  package static let isCompressible = false
  package static let encodings = ["cdr", "json"]

  /// The bytes of the messages of a chunk, before they are compressed. The libraries of MCAP make chunks of about this size.
  static let chunk = 768 << 10

  private let encoding: MessageEncoding?

  package init(_ options: FormatOptions) throws(SluiceError) {
    encoding = options.encoding.flatMap(MessageEncoding.init)
  }

  package init() { encoding = nil }

  package static func mayHaveReading(_ file: [UInt8]) -> Bool {
    // A power cut may leave zeros in place of the last bytes, also of those of the header.
    let text = file.prefix(file.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)
    guard text.count > MCAPEncoder.header.count || !MCAPEncoder.header.starts(with: text) else { return false }
    guard let contents = try? Contents.read(FileBytes(file), checkedFrom: nil) else { return true }
    return !contents.summary.chunks.isEmpty || !contents.summary.attachments.isEmpty || contents.hasLooseMessages
      || contents.damage != nil
  }

  package func metadata(of path: String, _ disk: Disk) -> any MetadataStore { MCAPMetadataStore(beside: path, disk) }

  package func store(_ file: ClaimedFile, _ streams: EncoderStreams) throws(SluiceError) -> any RecordStore {
    let (table, encoding) = (SeriesTable(streams, encoding ?? .cdr), encoding)
    let make: @Sendable (ClaimedFile) -> any ByteStore = { MCAPFileStore($0, table) }
    return EncodedStore(
      file.series.map { PartStore(file, $0, make) } ?? make(file), streams, file.series?.rotation, chunk: Self.chunk
    ) { MCAPEncoder(streams, table, encoding) }
  }
}
