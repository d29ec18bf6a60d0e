/// What the end of a finished file says about all of it.
struct Summary {
  private(set) var schemas: [SchemaRecord] = []
  private(set) var channels: [ChannelRecord] = []
  /// The places of schemas and channels, by their numbers.
  private var schemaPlaces: [UInt16: Int] = [:]
  private var channelPlaces: [UInt16: Int] = [:]
  var chunks: [ChunkIndexRecord] = []
  var metadata: [MetadataIndexRecord] = []
  /// The places of attachments: Sluice writes none, and keeps those of others.
  var attachments: [AttachmentIndexRecord] = []
  /// By channel, the number of its messages.
  var counts: [UInt16: UInt64] = [:]
  /// Whether the counts are known: a file of another program may have no statistics.
  var hasStatistics = false
  /// The times of the first and the last message; nil if there is none.
  var times: ClosedRange<UInt64>?

  var messageCount: UInt64 {
    counts.values.reduce(0) { sum, count in
      let (sum, overflow) = sum.addingReportingOverflow(count)
      return overflow ? .max : sum
    }
  }

  func schema(_ id: UInt16) -> SchemaRecord? { schemaPlaces[id].map { schemas[$0] } }
  func channel(_ id: UInt16) -> ChannelRecord? { channelPlaces[id].map { channels[$0] } }

  /// Adds a schema, unless there is one of its number.
  mutating func add(_ schema: SchemaRecord) {
    guard schemaPlaces[schema.id] == nil else { return }
    schemaPlaces[schema.id] = schemas.count
    schemas.append(schema)
  }

  /// Adds a channel, unless there is one of its number.
  mutating func add(_ channel: ChannelRecord) {
    guard channelPlaces[channel.id] == nil else { return }
    channelPlaces[channel.id] = channels.count
    channels.append(channel)
  }

  mutating func add(_ index: ChunkIndexRecord, counts more: [(channel: UInt16, count: Int)]) {
    chunks.append(index)
    for (channel, count) in more {
      // A file may say any number before.
      let (sum, overflow) = counts[channel, default: 0].addingReportingOverflow(UInt64(count))
      counts[channel] = overflow ? .max : sum
    }
    guard more.contains(where: { $0.count > 0 }), index.start <= index.end else { return }
    let times = times ?? index.start...index.end
    self.times = min(times.lowerBound, index.start)...max(times.upperBound, index.end)
  }

  // MARK: Writing

  /// The bytes behind the data: DataEnd, the summary, the footer, and the magic bytes.
  /// - Parameters:
  ///   - offset: The length of the file before them.
  ///   - dataCRC: The checksum of all before them; nil if it is not known, because all would have to be read again for it.
  func end(at offset: Int64, dataCRC: UInt32?) -> [UInt8] {
    var writer = RecordWriter()
    // 0 says that it is not known.
    writer.append(.dataEnd) { $0.append(dataCRC ?? 0) }
    let start = UInt64(offset) + UInt64(writer.bytes.count)
    var offsets: [(kind: RecordKind, start: UInt64, length: UInt64)] = []
    func group(_ kind: RecordKind, _ body: (inout RecordWriter) -> Void) {
      let before = writer.bytes.count
      body(&writer)
      guard writer.bytes.count > before else { return }
      offsets.append((kind, UInt64(offset) + UInt64(before), UInt64(writer.bytes.count - before)))
    }
    group(.schema) { for schema in schemas { schema.write(to: &$0) } }
    group(.channel) { for channel in channels { channel.write(to: &$0) } }
    group(.statistics) { writeStatistics(to: &$0) }
    group(.chunkIndex) { for chunk in chunks { chunk.write(to: &$0) } }
    group(.attachmentIndex) { for attachment in attachments { attachment.write(to: &$0) } }
    group(.metadataIndex) { for index in metadata { index.write(to: &$0) } }
    let offsetsStart = UInt64(offset) + UInt64(writer.bytes.count)
    for group in offsets {
      writer.append(.summaryOffset) { writer in
        writer.append(group.kind.rawValue)
        writer.append(group.start)
        writer.append(group.length)
      }
    }
    writer.append(.footer) { writer in
      writer.append(start)
      writer.append(offsetsStart)
      writer.append(UInt32(0))
    }
    var bytes = writer.bytes
    Self.addCRC(&bytes, from: MCAP.dataEnd)
    return bytes + MCAP.magic
  }

  /// The bytes behind the data of a file without a summary: DataEnd, the footer, and the magic bytes.
  static func noEnd(dataCRC: UInt32?) -> [UInt8] {
    var writer = RecordWriter()
    writer.append(.dataEnd) { $0.append(dataCRC ?? 0) }
    writer.append(.footer) { $0.append(raw: Array(repeating: 0, count: 20)) }
    return writer.bytes + MCAP.magic
  }

  /// Writes the checksum of a summary into its last four bytes. It is of all from the start of the summary up to itself, with
  /// the length of the footer, which is known only now.
  private static func addCRC(_ bytes: inout [UInt8], from start: Int) {
    let end = bytes.count - 4
    let crc = bytes.withUnsafeBytes { CRC32(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }.value
    for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index)) }
  }

  private func writeStatistics(to writer: inout RecordWriter) {
    writer.append(.statistics) { writer in
      writer.append(messageCount)
      writer.append(UInt16(truncatingIfNeeded: schemas.count))
      writer.append(UInt32(truncatingIfNeeded: channels.count))
      writer.append(UInt32(truncatingIfNeeded: attachments.count))
      writer.append(UInt32(truncatingIfNeeded: metadata.count))
      writer.append(UInt32(truncatingIfNeeded: chunks.count))
      writer.append(times?.lowerBound ?? 0)
      writer.append(times?.upperBound ?? 0)
      writer.append(sized: counts.sorted { $0.key < $1.key }) { writer, count in
        writer.append(count.key)
        writer.append(count.value)
      }
    }
  }

  // MARK: Reading

  /// Takes a record of the summary, or of the data.
  /// - Returns: False if it is malformed.
  mutating func take(_ kind: RecordKind, _ contents: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .schema:
      guard let schema = SchemaRecord(contents) else { return false }
      add(schema)
    case .channel:
      guard let channel = ChannelRecord(contents) else { return false }
      add(channel)
    case .chunkIndex:
      guard let chunk = ChunkIndexRecord(contents) else { return false }
      chunks.append(chunk)
    case .metadataIndex:
      guard let index = MetadataIndexRecord(contents) else { return false }
      metadata.append(index)
    case .attachmentIndex:
      guard let index = AttachmentIndexRecord(contents) else { return false }
      attachments.append(index)
    case .statistics: return takeStatistics(contents)
    default: break
    }
    return true
  }

  private mutating func takeStatistics(_ contents: UnsafeRawBufferPointer) -> Bool {
    var cursor = RecordCursor(contents)
    let messages = cursor.number(UInt64.self)
    _ = cursor.bytes(2 + 4 * 4)
    let (first, last) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
    var map = RecordCursor(cursor.bytes(cursor.length()))
    while map.left > 0, map.isWhole { counts[map.number(UInt16.self)] = map.number(UInt64.self) }
    guard cursor.isWhole, map.isWhole else { return false }
    hasStatistics = true
    if messages > 0, first <= last { times = first...last }
    return true
  }
}
