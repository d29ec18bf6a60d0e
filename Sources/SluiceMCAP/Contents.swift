import SluiceReadings
import SluiceSystem

/// What a file has, by its summary, or by its records if it has none.
struct Contents {
  /// The profile and the library in the header.
  var profile = ""
  var library = ""
  var summary = Summary()
  /// The end of the data: where the next chunk of a recording that goes on begins.
  var dataEnd: Int64 = 0
  /// The first record behind the header.
  private(set) var firstRecord: Int64 = 0
  /// Whether it ends with a summary whose checksum is right.
  var isFinished = false
  /// The checksum of the data, as the file says it; nil if it does not.
  var dataCRC: UInt32?
  /// Whether messages stand outside of chunks, so that no index knows them.
  var hasLooseMessages = false
  /// The first damage in the data; nil if there is none.
  var damage: Damage?
  let size: Int64

  /// Damage of the data.
  struct Damage: Equatable {
    var offset: Int64
    /// A sentence about the record there: `its checksum is wrong`.
    var text: String
  }

  /// Whether sluice has written it: then the first chunk with a channel has its definition too.
  var isOurs: Bool { library == "sluice" }

  /// Whether a file begins as one of this format.
  static func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: MCAP.magic) }

  /// Reads the header. Nil if the file has no whole header.
  private init?(header file: FileBytes) throws(SystemErrno) {
    size = file.size
    guard try file.bytes(at: 0, MCAP.magic.count) == MCAP.magic,
      let header = try file.contents(of: .header, at: Int64(MCAP.magic.count), limit: 1 << 20)
    else { return nil }
    let texts = header.withUnsafeBytes { bytes in
      var cursor = RecordCursor(bytes)
      let texts = [cursor.text(), cursor.text()]
      return cursor.isWhole ? texts : nil
    }
    guard let texts else { return nil }
    (profile, library) = (texts[0], texts[1])
    dataEnd = Int64(MCAP.magic.count + RecordKind.head + header.count)
    firstRecord = dataEnd
  }

  /// Reads the summary of a finished file, and nothing else of it.
  /// - Returns: Nil if the file is not finished, or has no index.
  static func finished(_ file: FileBytes) throws(SystemErrno) -> Contents? {
    guard var contents = try Contents(header: file), try contents.readSummary(file) else { return nil }
    return contents
  }

  /// Reads the file: its summary if it has a good one, and otherwise the heads of its records.
  /// - Parameter checkedFrom: The offset from which the checksums of chunks are compared; nil for none.
  /// - Returns: Nil if the file has no whole header.
  static func read(_ file: FileBytes, checkedFrom: Int64?) throws(SystemErrno) -> Contents? {
    if let contents = try finished(file) { return contents }
    return try scanned(file, checkedFrom: checkedFrom)
  }

  /// Reads the heads of all records.
  static func scanned(_ file: FileBytes, checkedFrom: Int64?) throws(SystemErrno) -> Contents? {
    guard var contents = try Contents(header: file) else { return nil }
    var scan = ContentsScan(contents, checkedFrom)
    try scan.run(file)
    contents = scan.contents
    return contents
  }

  /// - Returns: Whether there is a whole summary with an index.
  private mutating func readSummary(_ file: FileBytes) throws(SystemErrno) -> Bool {
    let end = size - Int64(MCAP.end)
    guard end >= dataEnd, try file.bytes(at: size - Int64(MCAP.magic.count), MCAP.magic.count) == MCAP.magic,
      let footer = try file.contents(of: .footer, at: end, limit: 20), footer.count == 20
    else { return false }
    let (start, crc) = footer.withUnsafeBytes { bytes in
      var cursor = RecordCursor(bytes)
      let start = cursor.number(UInt64.self)
      _ = cursor.number(UInt64.self)
      return (start, cursor.number(UInt32.self))
    }
    guard start >= UInt64(dataEnd), start <= UInt64(end), end - Int64(start) <= Int64(MCAP.longestSummary) else {
      return false
    }
    // The checksum is of the summary and of the footer up to the checksum.
    let count = Int(end - Int64(start)) + RecordKind.head + 16
    let bytes = try file.bytes(at: Int64(start), count)
    guard bytes.count == count, crc == 0 || CRC32(bytes).value == crc else { return false }
    var summary = Summary()
    let isWhole = bytes.withUnsafeBytes { bytes in
      var walk = RecordWalk(UnsafeRawBufferPointer(rebasing: bytes[..<(count - RecordKind.head - 16)]))
      while let record = walk.next() {
        guard let kind = RecordKind(rawValue: record.kind) else { continue }
        guard summary.take(kind, record.contents) else { return false }
      }
      return walk.isWhole
    }
    guard isWhole, summary.hasStatistics || !summary.chunks.isEmpty else { return false }
    // A file whose messages stand outside of chunks has statistics, and nothing to find them by.
    if summary.chunks.isEmpty, summary.messageCount > 0 { return false }
    // Another program may leave out channels, or the index of chunks.
    guard summary.chunks.allSatisfy({ $0.indexes.allSatisfy { summary.channel($0.channel) != nil } }) else {
      return false
    }
    let dataEnd = Int64(start) - Int64(MCAP.dataEnd)
    if !isOurs, dataEnd > firstRecord, summary.chunks.isEmpty || summary.channels.isEmpty { return false }
    guard let record = try file.contents(of: .dataEnd, at: dataEnd, limit: 4), record.count == 4,
      summary.chunks.allSatisfy({ $0.offset < UInt64(dataEnd) && $0.length < UInt64(dataEnd) })
    else { return false }
    (self.summary, self.dataEnd, isFinished) = (summary, dataEnd, true)
    let dataCRC = record.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    self.dataCRC = dataCRC == 0 ? nil : dataCRC
    return true
  }
}

/// Reads the heads of the records of a file from its beginning.
private struct ContentsScan {
  private(set) var contents: Contents
  private let checkedFrom: Int64?
  private let reader = ChunkReader()
  /// The last chunk, whose indexes may follow.
  private var open: (index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)])?
  /// The definitions outside of chunks. Those in a chunk have its checksum, and come before them.
  private var loose = Summary()

  init(_ contents: Contents, _ checkedFrom: Int64?) { (self.contents, self.checkedFrom) = (contents, checkedFrom) }

  mutating func run(_ file: FileBytes) throws(SystemErrno) {
    var offset = contents.dataEnd
    loop: while offset < file.size {
      guard let record = try file.record(at: offset) else {
        contents.damage = Contents.Damage(offset: offset, text: "it is torn")
        break
      }
      let next = offset + Int64(RecordKind.head) + record.length
      let kind = RecordKind(rawValue: record.kind)
      if kind != .messageIndex, try !closeChunk(file) { return }
      switch kind {
      case .dataEnd, .footer: break loop
      case .chunk: guard try take(chunk: offset, record.length, file) else { return }
      case .messageIndex: guard try take(index: offset, record.length, file) else { return }
      case .message:
        contents.hasLooseMessages = true
        contents.dataEnd = next
      case .schema, .channel, .metadata: guard try take(kind, offset, record.length, file) else { return }
      case .header, .chunkIndex, .attachmentIndex, .statistics, .metadataIndex, .summaryOffset:
        contents.damage = Contents.Damage(offset: offset, text: "it does not stand among data")
        return
      case .attachment, nil: contents.dataEnd = next
      }
      offset = next
    }
    _ = try closeChunk(file)
  }

  private mutating func fail(_ offset: Int64, _ text: String) -> Bool {
    contents.damage = Contents.Damage(offset: offset, text: text)
    open = nil
    return false
  }

  private mutating func take(
    _ kind: RecordKind?, _ offset: Int64, _ length: Int64, _ file: FileBytes
  ) throws(SystemErrno) -> Bool {
    guard let kind, let bytes = try file.contents(of: kind, at: offset, limit: MCAP.longestRecord) else {
      return fail(offset, "it is longer than \(MCAP.longestRecord) bytes")
    }
    if kind == .metadata {
      guard let record = bytes.withUnsafeBytes({ MetadataRecord($0) }), MCAPMetadata.isWhole(record) else {
        return fail(offset, "it is malformed")
      }
      contents.summary.metadata.append(
        MetadataIndexRecord(
          offset: UInt64(offset), length: UInt64(length) + UInt64(RecordKind.head), name: record.name))
    } else if contents.isOurs {
      // It is known to be whole when its chunk follows.
      guard bytes.withUnsafeBytes({ loose.take(kind, $0) }) else { return fail(offset, "it is malformed") }
      return true
    } else {
      guard bytes.withUnsafeBytes({ contents.summary.take(kind, $0) }) else { return fail(offset, "it is malformed") }
    }
    contents.dataEnd = offset + Int64(RecordKind.head) + length
    return true
  }

  private mutating func take(chunk offset: Int64, _ length: Int64, _ file: FileBytes) throws(SystemErrno) -> Bool {
    let beginning = try file.bytes(
      at: offset + Int64(RecordKind.head), Int(min(length, Int64(ChunkHead.longest))))
    guard let head = beginning.withUnsafeBytes({ ChunkHead($0) }),
      head.compressedSize == UInt64(length) - UInt64(min(length, Int64(head.count)))
    else { return fail(offset, "its sizes do not agree") }
    var index = ChunkIndexRecord()
    (index.start, index.end, index.offset) = (head.start, head.end, UInt64(offset))
    index.length = UInt64(length) + UInt64(RecordKind.head)
    (index.compression, index.compressedSize) = (head.compression, head.compressedSize)
    index.uncompressedSize = head.uncompressedSize
    open = (index, [])
    return true
  }

  private mutating func take(index offset: Int64, _ length: Int64, _ file: FileBytes) throws(SystemErrno) -> Bool {
    let head = try file.bytes(at: offset + Int64(RecordKind.head), 6)
    let (channel, size) = head.withUnsafeBytes { bytes in
      var cursor = RecordCursor(bytes)
      return (cursor.number(UInt16.self), cursor.number(UInt32.self))
    }
    guard head.count == 6, Int64(size) == length - 6, size % 16 == 0 else {
      return fail(Int64(open?.index.offset ?? UInt64(offset)), "the index behind it is malformed")
    }
    guard open != nil else {
      contents.dataEnd = offset + Int64(RecordKind.head) + length
      return true
    }
    open?.index.indexes.append((channel, UInt64(offset)))
    open?.index.indexLength += UInt64(length) + UInt64(RecordKind.head)
    open?.counts.append((channel, Int(size / 16)))
    return true
  }

  /// Ends the open chunk. It is read if it may be damaged, or if it may define channels.
  private mutating func closeChunk(_ file: FileBytes) throws(SystemErrno) -> Bool {
    guard var (index, counts) = open else { return true }
    open = nil
    let offset = Int64(index.offset)
    let end = offset + Int64(index.length) + Int64(index.indexLength)
    let isLast = end >= file.size - 1 || checkedFrom.map { end > $0 } ?? false
    // A chunk without indexes may still have messages.
    let isDefining =
      !contents.isOurs || counts.isEmpty || counts.contains { contents.summary.channel($0.channel) == nil }
    let isFollowed = try file.record(at: end) != nil
    if isLast || isDefining || !isFollowed {
      let chunk: Chunk
      do throws(Chunk.Fault) {
        chunk = try Chunk(
          file, at: offset, length: Int64(index.length) - Int64(RecordKind.head), reader)
      } catch {
        if case .system(let code) = error { throw SystemErrno(code) }
        guard case .unsupported = error else { return fail(offset, error.text) }
        contents.summary.add(index, counts: counts)
        contents.dataEnd = end
        return true
      }
      var found: [UInt16: Int] = [:]
      var order: [UInt16] = []
      var isGood = true
      // They count only if the chunk does.
      var definitions = contents.summary
      let isWhole = chunk.forEach { kind, bytes, _ in
        switch RecordKind(rawValue: kind) {
        case .message:
          guard let head = MessageHead(bytes) else {
            isGood = false
            return false
          }
          if found.updateValue(found[head.channel, default: 0] + 1, forKey: head.channel) == nil {
            order.append(head.channel)
          }
        case .schema?, .channel?:
          isGood = RecordKind(rawValue: kind).map { definitions.take($0, bytes) } ?? false
          return isGood
        default: break
        }
        return true
      }
      guard isWhole, isGood else { return fail(offset, "a record in it is malformed") }
      let actual = order.map { (channel: $0, count: found[$0] ?? 0) }
      let isComplete =
        Dictionary(counts.map { ($0.channel, $0.count) }, uniquingKeysWith: +) == found
      // The indexes behind a chunk of a killed run may be torn. A file of another program may have none.
      if contents.isOurs, !isComplete { return fail(offset, "the indexes behind it are torn") }
      contents.summary = definitions
      if !isComplete { (counts, index.indexes, index.indexLength) = (actual, [], index.indexLength) }
    }
    for (channel, _) in counts where contents.summary.channel(channel) == nil {
      guard let definition = loose.channel(channel) else { continue }
      if let schema = loose.schema(definition.schema) { contents.summary.add(schema) }
      contents.summary.add(definition)
    }
    contents.summary.add(index, counts: counts)
    contents.dataEnd = end
    return true
  }
}
