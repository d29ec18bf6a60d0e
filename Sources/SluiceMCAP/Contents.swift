import SluiceReadings
import SluiceSystem

/// What a file has, by its summary, or by its records if it has none.
struct Contents {
  /// The profile and the library in the header.
  var profile = ""
  var library = ""
  var summary = Summary()
  /// The end of the data: where the next chunk of a recording that goes on begins. Nothing whole is behind it.
  var dataEnd: Int64 = 0
  /// The first record behind the header.
  private(set) var firstRecord: Int64 = 0
  /// Whether it ends with a summary whose checksum is right.
  var isFinished = false
  /// The checksum of the data, as the file says it; nil if it does not.
  var dataCRC: UInt32?
  /// Whether messages stand outside of chunks, so that no index knows them.
  var hasLooseMessages = false
  /// The first damage that has something whole behind it; nil if there is none. A summary says nothing of it.
  var damage: Damage?
  /// The bytes of all these damages.
  var damagedBytes: Int64 = 0
  /// What is torn or damaged behind the last whole record; nil if nothing is.
  var tail: Damage?
  /// The greatest number of a channel in the data; that of one whose definition is gone, too. 0 in a finished file.
  var greatestChannel: UInt16 = 0
  /// The same of schemas.
  var greatestSchema: UInt16 = 0
  /// By the name of a stream, the messages of damaged chunks behind its last whole one. Empty in a finished file.
  var lost: [ExactName: UInt32] = [:]
  /// The indexes that belong behind the last chunk, and are not whole there. The summary has their places.
  var missingIndexes: [UInt8] = []
  let size: Int64

  /// Damage of the data.
  struct Damage: Equatable {
    var offset: Int64
    /// A sentence about the record there: `its checksum is wrong`.
    var text: String
    /// Whether the end of the data follows, so that no run was cut off there.
    var isBeforeEnd = false
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
    scan.end()
    contents = scan.contents
    return contents
  }

  /// Whether the summary that follows the data has the right checksum, or there is none, and the file ends with a footer.
  static func hasWholeEnd(_ file: FileBytes, behind dataEnd: Int64) throws(SystemErrno) -> Bool {
    let start = dataEnd + Int64(MCAP.dataEnd)
    if start == file.size - Int64(MCAP.end), let footer = try file.contents(of: .footer, at: start, limit: 20) {
      let isMagic = try file.bytes(at: file.size - Int64(MCAP.magic.count), MCAP.magic.count) == MCAP.magic
      if isMagic, footer.count == 20, footer.prefix(8).allSatisfy({ $0 == 0 }) { return true }
    }
    return try summaryBytes(file, from: start)?.start == start
  }

  /// The bytes of the summary, with its checksum compared, and where it begins.
  /// - Parameter first: Where it may begin at first.
  private static func summaryBytes(
    _ file: FileBytes, from first: Int64
  ) throws(SystemErrno) -> (bytes: [UInt8], start: Int64)? {
    let end = file.size - Int64(MCAP.end)
    guard end >= first, try file.bytes(at: file.size - Int64(MCAP.magic.count), MCAP.magic.count) == MCAP.magic,
      let footer = try file.contents(of: .footer, at: end, limit: 20), footer.count == 20
    else { return nil }
    let (start, crc) = footer.withUnsafeBytes { bytes in
      var cursor = RecordCursor(bytes)
      let start = cursor.number(UInt64.self)
      _ = cursor.number(UInt64.self)
      return (start, cursor.number(UInt32.self))
    }
    guard start >= UInt64(first), start <= UInt64(end), end - Int64(start) <= Int64(MCAP.longestSummary) else {
      return nil
    }
    // The checksum is of the summary and of the footer up to the checksum.
    let count = Int(end - Int64(start)) + RecordKind.head + 16
    let bytes = try file.bytes(at: Int64(start), count)
    guard bytes.count == count, crc == 0 || CRC32(bytes).value == crc else { return nil }
    return (Array(bytes.dropLast(RecordKind.head + 16)), Int64(start))
  }

  /// - Returns: Whether there is a whole summary with an index.
  private mutating func readSummary(_ file: FileBytes) throws(SystemErrno) -> Bool {
    guard let (bytes, start) = try Self.summaryBytes(file, from: dataEnd) else { return false }
    var summary = Summary()
    let isWhole = bytes.withUnsafeBytes { bytes in
      var walk = RecordWalk(bytes)
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
    let dataEnd = start - Int64(MCAP.dataEnd)
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

/// Reads the heads of the records of a file from its beginning, and steps over damages.
private struct ContentsScan {
  private(set) var contents: Contents
  private let checkedFrom: Int64?
  private let reader = ChunkReader()
  /// The last chunk, whose indexes may follow.
  private var open: (index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)])?
  /// The definitions outside of chunks. Those in a chunk have its checksum, and come before them.
  private var loose = Summary()
  /// The messages of damaged chunks behind the last whole ones of their streams.
  private var lost = LostMessages()
  /// The last chunk, if its indexes are not whole, as it would be with them.
  private var incomplete: (index: ChunkIndexRecord, bytes: [UInt8])?

  /// What stands at an offset.
  private enum Found {
    case fault(String)
    /// The end of the data.
    case end
    case chunk(ChunkIndexRecord)
    case index(channel: UInt16, count: Int)
    case definition(RecordKind, [UInt8])
    case metadata(name: String)
    case attachment(AttachmentIndexRecord)
    case message
    /// What other programs may write.
    case other
  }

  init(_ contents: Contents, _ checkedFrom: Int64?) { (self.contents, self.checkedFrom) = (contents, checkedFrom) }

  mutating func run(_ file: FileBytes) throws(SystemErrno) {
    var offset = contents.dataEnd
    while true {
      let record = try file.record(at: offset)
      let found =
        if let record { try look(at: offset, record.kind, record.length, file) } else {
          offset < file.size ? Found.fault("it is torn") : .end
        }
      if case .index = found {
      } else {
        var isSuspect = false
        if case .fault = found { isSuspect = true }
        // If the chunk is damaged, what is here is looked at again behind it.
        if let damage = try closeChunk(file, isSuspect: isSuspect) {
          guard let next = try skip(damage, file) else { return }
          offset = next
          continue
        }
      }
      if case .fault(let text) = found {
        guard let next = try skip(Contents.Damage(offset: offset, text: text), file) else { return }
        offset = next
        continue
      }
      guard let record else { return }
      let next = offset + Int64(RecordKind.head) + record.length
      guard take(found, from: offset, to: next) else { return }
      offset = next
    }
  }

  /// Steps over a damage.
  /// - Returns: The offset of what is whole behind it; nil if there is nothing.
  private mutating func skip(_ damage: Contents.Damage, _ file: FileBytes) throws(SystemErrno) -> Int64? {
    let next = try Resynchronization.next(after: damage.offset, in: file, reader)
    if contents.isOurs { try lost.add(damage.offset..<(next ?? file.size), file) }
    guard let next, try file.record(at: next)?.kind != RecordKind.dataEnd.rawValue else {
      contents.tail = damage
      contents.tail?.isBeforeEnd = next != nil
      if let incomplete, let last = contents.summary.chunks.indices.last {
        contents.summary.chunks[last] = incomplete.index
        contents.missingIndexes = incomplete.bytes
      }
      return nil
    }
    contents.damage = contents.damage ?? damage
    contents.damagedBytes += next - damage.offset
    return next
  }

  /// Notes what is known of channels whose chunks are gone.
  mutating func end() {
    guard contents.isOurs else { return }
    let channels = loose.channels.map(\.id) + Array(lost.counts.keys)
    contents.greatestChannel = max(contents.greatestChannel, channels.max() ?? 0)
    contents.greatestSchema = max(contents.greatestSchema, loose.schemas.map(\.id).max() ?? 0)
    contents.lost = lost.byStream(stream)
  }

  /// The name of the stream of a channel.
  private func stream(_ channel: UInt16) -> ExactName? {
    (contents.summary.channel(channel) ?? loose.channel(channel))?.streamName
  }

  // MARK: Records

  private func look(
    at offset: Int64, _ kind: UInt8, _ length: Int64, _ file: FileBytes
  ) throws(SystemErrno) -> Found {
    let (isOurs, start) = (contents.isOurs, offset + Int64(RecordKind.head))
    let kind = RecordKind(rawValue: kind)
    switch kind {
    case .dataEnd where length == 4: return .end
    case .footer where !isOurs && length == 20 && start + length + Int64(MCAP.magic.count) == file.size: return .end
    case .chunk:
      let beginning = try file.bytes(at: start, Int(min(length, Int64(ChunkHead.longest))))
      guard let head = beginning.withUnsafeBytes({ ChunkHead($0) }),
        head.compressedSize == UInt64(length) - UInt64(min(length, Int64(head.count)))
      else { return .fault("its sizes do not agree") }
      var index = ChunkIndexRecord()
      (index.start, index.end, index.offset) = (head.start, head.end, UInt64(offset))
      index.length = UInt64(length) + UInt64(RecordKind.head)
      (index.compression, index.compressedSize) = (head.compression, head.compressedSize)
      index.uncompressedSize = head.uncompressedSize
      return .chunk(index)
    case .messageIndex:
      if isOurs, open == nil { return .fault(RecordFault.indexWithoutChunk) }
      guard let index = try MessageIndexHead(file, at: start, length: length) else { return .fault("it is malformed") }
      return .index(channel: index.channel, count: index.count)
    case .schema?, .channel?, .metadata?:
      guard let kind, let bytes = try file.contents(of: kind, at: offset, limit: MCAP.longestRecord) else {
        return .fault("it is longer than \(MCAP.longestRecord) bytes")
      }
      if kind == .metadata {
        guard let record = bytes.withUnsafeBytes({ MetadataRecord($0) }), MCAPMetadata.isWhole(record, isOurs: isOurs)
        else { return .fault("it is malformed") }
        return .metadata(name: record.name)
      }
      guard bytes.withUnsafeBytes({ RecordFault.isDefinition(kind, $0, isOurs: isOurs) }) else {
        return .fault("it is malformed")
      }
      return .definition(kind, bytes)
    case .message: return isOurs ? .fault(RecordFault.looseMessage) : .message
    case .attachment:
      guard isOurs else { return .other }
      let index = try AttachmentIndexRecord(of: file, at: offset, length: length, needsChecksum: true)
      return index.map { .attachment($0) } ?? .fault(RecordFault.attachment)
    case nil: return isOurs ? .fault(RecordFault.unknown) : .other
    default: return .fault(RecordFault.misplaced)
    }
  }

  /// - Returns: False at the end of the data.
  private mutating func take(_ found: Found, from offset: Int64, to next: Int64) -> Bool {
    switch found {
    case .fault, .end: return false
    case .chunk(let index):
      open = (index, [])
      return true
    case .index(let channel, let count):
      if open != nil {
        open?.index.indexes.append((channel, UInt64(offset)))
        open?.index.indexLength += UInt64(next - offset)
        open?.counts.append((channel, count))
        return true
      }
    case .definition(let kind, let bytes):
      if contents.isOurs {
        // It is known to be whole when its chunk follows.
        _ = bytes.withUnsafeBytes { loose.take(kind, $0) }
        return true
      }
      _ = bytes.withUnsafeBytes { contents.summary.take(kind, $0) }
    case .metadata(let name):
      // It has the numbers of all messages that were lost before it.
      if name == MCAPMetadata.numbersName { lost.forgetAll() }
      contents.summary.metadata.append(
        MetadataIndexRecord(offset: UInt64(offset), length: UInt64(next - offset), name: name))
    case .attachment(let index): contents.summary.attachments.append(index)
    case .message: contents.hasLooseMessages = true
    case .other: break
    }
    contents.dataEnd = next
    incomplete = nil
    return true
  }

  /// Ends the open chunk. It is read if it may be damaged, or if it may define channels.
  /// - Parameter isSuspect: Whether damage follows, which may be one of its indexes.
  /// - Returns: The damage of the chunk; nil if there is none.
  private mutating func closeChunk(_ file: FileBytes, isSuspect: Bool) throws(SystemErrno) -> Contents.Damage? {
    guard var (index, counts) = open else { return nil }
    open = nil
    let offset = Int64(index.offset)
    var end = offset + Int64(index.length) + Int64(index.indexLength)
    let isLast = end >= file.size - 1 || checkedFrom.map { end > $0 } ?? false
    // A chunk without indexes may still have messages.
    let isDefining =
      !contents.isOurs || counts.isEmpty || counts.contains { contents.summary.channel($0.channel) == nil }
    var incomplete: (index: ChunkIndexRecord, bytes: [UInt8])?
    if isLast || isDefining || isSuspect {
      let chunk: Chunk
      do throws(Chunk.Fault) {
        chunk = try Chunk(
          file, at: offset, length: Int64(index.length) - Int64(RecordKind.head), reader)
      } catch {
        if case .system(let code) = error { throw SystemErrno(code) }
        guard case .unsupported = error else { return Contents.Damage(offset: offset, text: error.text) }
        add(index, counts, end)
        return nil
      }
      // Its definitions count only if it does.
      guard let messages = ChunkMessages(chunk, contents.summary) else {
        return Contents.Damage(offset: offset, text: "a record in it is malformed")
      }
      contents.greatestChannel = max(contents.greatestChannel, messages.order.max() ?? 0)
      if contents.isOurs,
        let lost = messages.order.first(where: {
          messages.definitions.channel($0) == nil && loose.channel($0) == nil
        })
      {
        return Contents.Damage(offset: offset, text: "the definition of its channel \(lost) is gone")
      }
      contents.summary = messages.definitions
      if Dictionary(counts.map { ($0.channel, $0.count) }, uniquingKeysWith: +) != messages.counts {
        // The indexes behind a chunk of a killed run may be torn. A file of another program may have none.
        (counts, index.indexes) = (messages.all, [])
        if contents.isOurs {
          index.indexLength = 0
          var whole = index
          let bytes = messages.addIndexes(to: &whole)
          incomplete = (whole, bytes)
          end = offset + Int64(index.length)
        }
      }
    }
    add(index, counts, end)
    self.incomplete = incomplete
    return nil
  }

  private mutating func add(_ index: ChunkIndexRecord, _ counts: [(channel: UInt16, count: Int)], _ end: Int64) {
    for (channel, _) in counts where contents.summary.channel(channel) == nil {
      guard let definition = loose.channel(channel) else { continue }
      if let schema = loose.schema(definition.schema) { contents.summary.add(schema) }
      contents.summary.add(definition)
    }
    contents.summary.add(index, counts: counts)
    contents.dataEnd = end
    incomplete = nil
    guard !lost.isEmpty else { return }
    for (channel, count) in counts where count > 0 {
      if let name = stream(channel) { lost.forget(name, stream) }
    }
  }
}
