import SluiceReadings
import SluiceSystem

/// Reads all of a file, compares every checksum and every index with the data, and finds what is whole.
struct MCAPSalvage {
  /// A record that is whole, or a chunk with the indexes that belong behind it.
  struct Piece {
    var kind: RecordKind
    var offset: Int64
    /// With the head of the record, without the indexes behind a chunk.
    var length: Int64
    /// Of a chunk: what the index of the file has to say of it. The offsets are those in this file.
    var index: ChunkIndexRecord?
    var counts: [(channel: UInt16, count: Int)] = []
    /// Of a chunk: the indexes of its messages.
    var indexes: [UInt8] = []
    /// The name of a metadata record, as it is.
    var name: [UInt8] = []
    /// What the index of the file has to say of an attachment.
    var attachment: AttachmentIndexRecord?
  }

  /// A part of the file that is damaged.
  struct Damage {
    var range: Range<Int64>
    var text: String
  }

  /// Numbers of messages that are missing.
  struct Missing {
    var stream: String
    var first: UInt32
    var last: UInt32
    /// Whether no message of the stream is behind them. Then an index says how many they are, and not what numbers they had.
    var isEnd = false

    var count: UInt32 { (last &- first).addingClamped(1) }

    var text: String {
      if isEnd {
        let readings = count == 1 ? "1 reading" : "\(grouped(Int(count))) readings"
        return first == 1
          ? "all of \(stream) is missing: \(readings)"
          : "of \(stream), \(readings) after number \(grouped(Int(first) - 1)) \(count == 1 ? "is" : "are") missing"
      }
      return first == last
        ? "of \(stream), number \(first) is missing"
        : "of \(stream), numbers \(grouped(Int(first))) to \(grouped(Int(last))) are missing"
    }
  }

  private(set) var pieces: [Piece] = []
  private(set) var damages: [Damage] = []
  private(set) var missing: [Missing] = []
  /// By the name of a stream, the number of its last message, if that is missing.
  private(set) var ends: [ExactName: UInt32] = [:]
  /// What an index in the data says that is not so. Nothing is lost with it.
  private(set) var wrongIndexes: [String] = []
  /// What is wrong with the summary; nil if nothing is.
  private(set) var summaryFault: String?
  private(set) var summary = Summary()
  /// The end of the header.
  private(set) var headerEnd: Int64 = 0
  /// The end of the last whole piece.
  private(set) var end: Int64 = 0
  private(set) var hasHeader = true
  /// Whether the file ends with a summary, and it says what is in the data.
  private(set) var isFinished = false
  private(set) var isOurs = true
  /// Why a chunk cannot be compared, though it may be good; nil if all can be.
  private(set) var unsupported: String?

  /// The damages before the end of the file.
  func inside(_ size: Int64) -> [Damage] { damages.filter { $0.range.upperBound < size || !hasHeader } }

  /// Whether it has messages outside of chunks.
  var hasLooseMessages: Bool { pieces.contains { $0.kind == .message } }

  /// The bytes behind the data. Messages outside of chunks are found by no summary, so there is none then.
  func end(_ summary: Summary, dataCRC: UInt32?, at offset: Int64) -> [UInt8] {
    hasLooseMessages
      ? Summary.noEnd(dataCRC: dataCRC) : summary.end(at: offset, dataCRC: dataCRC)
  }

  private let file: FileBytes
  private let reader = ChunkReader()
  private var sequences: [ExactName: (last: UInt32, isAfterDamage: Bool)] = [:]
  private var damagedBefore = false
  /// The messages of damaged chunks behind the last whole ones of their streams.
  private var lost = LostMessages()
  /// Channels as the summary of the file has them, for chunks whose definitions are gone.
  private var said: Summary?
  /// Definitions outside of chunks, for the same, and where each stands.
  private(set) var loose = Summary()
  private var loosePlaces: [(kind: RecordKind, offset: Int64, bytes: [UInt8])] = []

  init(_ file: FileBytes) throws(SystemErrno) {
    self.file = file
    try run()
  }

  private mutating func run() throws(SystemErrno) {
    let finished = try Contents.finished(file)
    said = finished?.summary
    var offset = Int64(MCAP.magic.count)
    let magic = try file.bytes(at: 0, MCAP.magic.count)
    let header = try file.contents(of: .header, at: offset, limit: 1 << 20)
    let isWholeHeader = header?.withUnsafeBytes { bytes in
      var cursor = RecordCursor(bytes)
      let texts = [cursor.text(), cursor.text()]
      return cursor.isWhole && cursor.left == 0 && texts[0].utf8.count + texts[1].utf8.count + 8 == bytes.count
    }
    if magic == MCAP.magic, let header, isWholeHeader == true {
      offset += Int64(RecordKind.head + header.count)
      let library = header.withUnsafeBytes { bytes in
        var cursor = RecordCursor(bytes)
        _ = cursor.text()
        return cursor.text()
      }
      isOurs = library == "sluice"
    } else {
      hasHeader = false
      let own = Int64(MCAPEncoder.header.count)
      // The header of sluice has always the same length.
      let isAfterOwn = try file.record(at: own).map { RecordKind(rawValue: $0.kind) != nil } ?? false
      let next = isAfterOwn ? own : try Resynchronization.next(after: 0, in: file, reader)
      damages.append(Damage(range: 0..<(next ?? file.size), text: "its header is damaged"))
      guard let next else {
        end = 0
        return
      }
      offset = next
    }
    (end, headerEnd) = (offset, offset)
    let dataEnd = try walk(from: offset)
    noteEnds(finished)
    try checkEnd(dataEnd, finished)
  }

  /// - Returns: The offset of the end of the data; nil if there is none.
  private mutating func walk(from start: Int64) throws(SystemErrno) -> Int64? {
    var offset = start
    while offset < file.size {
      guard let record = try file.record(at: offset) else {
        guard let next = try skip(offset, "it is torn, or its length is wrong") else { return nil }
        offset = next
        continue
      }
      let kind = RecordKind(rawValue: record.kind)
      if kind == .dataEnd, record.length == 4 { return offset }
      let fault = try take(kind, offset, record.length)
      if unsupported != nil { return nil }
      if let fault {
        guard let next = try skip(offset, fault) else { return nil }
        offset = next
        continue
      }
      offset += Int64(RecordKind.head) + record.length
      if kind == .chunk { offset = try takeIndexes(behind: offset) }
      end = offset
    }
    return nil
  }

  /// Steps over a damage.
  private mutating func skip(_ offset: Int64, _ text: String) throws(SystemErrno) -> Int64? {
    let next = try Resynchronization.next(after: offset, in: file, reader)
    damages.append(Damage(range: offset..<(next ?? file.size), text: text))
    if isOurs { try lost.add(offset..<(next ?? file.size), file) }
    for name in sequences.keys { sequences[name]?.isAfterDamage = true }
    damagedBefore = true
    return next
  }

  /// - Returns: The fault of the record; nil if it is whole.
  private mutating func take(_ kind: RecordKind?, _ offset: Int64, _ length: Int64) throws(SystemErrno) -> String? {
    var piece = Piece(kind: kind ?? .attachment, offset: offset, length: length + Int64(RecordKind.head))
    switch kind {
    case .chunk:
      let chunk: Chunk
      do throws(Chunk.Fault) {
        chunk = try Chunk(file, at: offset, length: length, reader)
      } catch {
        if case .system(let code) = error { throw SystemErrno(code) }
        if case .unsupported(let text) = error { unsupported = text }
        return error.text
      }
      if let fault = take(chunk, &piece) { return fault }
    case .schema, .channel:
      guard let kind, let bytes = try file.contents(of: kind, at: offset, limit: MCAP.longestRecord),
        bytes.withUnsafeBytes({ RecordFault.isDefinition(kind, $0, isOurs: isOurs) && loose.take(kind, $0) })
      else { return "it is malformed" }
      loosePlaces.append((kind, offset, bytes))
    case .metadata:
      guard let bytes = try file.contents(of: .metadata, at: offset, limit: MCAP.longestRecord),
        let record = bytes.withUnsafeBytes({ MetadataRecord($0) }), MCAPMetadata.isWhole(record, isOurs: isOurs)
      else { return "it is malformed, or its checksum is wrong" }
      piece.name = bytes.withUnsafeBytes { bytes in
        var cursor = RecordCursor(bytes)
        return cursor.rawText()
      }
    case .message:
      guard !isOurs else { return RecordFault.looseMessage }
      guard length >= 22, length <= Int64(MCAP.longestRecord) else { return "it is malformed" }
    case .attachment:
      piece.attachment = try AttachmentIndexRecord(of: file, at: offset, length: length, needsChecksum: isOurs)
      guard piece.attachment != nil else { return RecordFault.attachment }
    case nil:
      // A kind of a later version is passed over, but not one that is only a damaged byte.
      guard let byte = try file.bytes(at: offset, 1).first, byte >= 0x80, !isOurs else { return RecordFault.unknown }
    default: return RecordFault.misplaced
    }
    pieces.append(piece)
    return nil
  }

  /// Compares the definitions outside of chunks with those in them, which have a checksum.
  private mutating func checkDefinitions() {
    for place in loosePlaces {
      var (own, other) = (RecordWriter(), RecordWriter())
      let isKnown = place.bytes.withUnsafeBytes { bytes in
        if place.kind == .schema, let schema = SchemaRecord(bytes) {
          schema.write(to: &own)
          summary.schema(schema.id)?.write(to: &other)
          return true
        }
        guard let channel = ChannelRecord(bytes) else { return false }
        channel.write(to: &own)
        summary.channel(channel.id)?.write(to: &other)
        return true
      }
      let isSame = isKnown && own.bytes == other.bytes
      if !isSame, isOurs { wrongIndexes.append("the definition at byte \(place.offset) is not that of any chunk") }
    }
  }

  /// - Returns: The fault of a chunk.
  private mutating func take(_ chunk: Chunk, _ piece: inout Piece) -> String? {
    guard let messages = ChunkMessages(chunk, summary) else { return "a record in it is malformed" }
    let times = messages.times
    var definitions = messages.definitions
    guard chunk.head.start == times?.lowerBound ?? 0, chunk.head.end == times?.upperBound ?? 0 || !isOurs else {
      return "its times are not those of its messages"
    }
    // A definition that was lost with another chunk may stand in the summary.
    for channel in messages.order where definitions.channel(channel) == nil {
      guard let source = [said, loose].compactMap({ $0 }).first(where: { $0.channel(channel) != nil }),
        let known = source.channel(channel)
      else { return "the definition of its channel \(channel) is gone" }
      if let schema = source.schema(known.schema) { definitions.add(schema) }
      definitions.add(known)
    }
    summary = definitions
    var index = ChunkIndexRecord()
    (index.start, index.end) = (chunk.head.start, chunk.head.end)
    (index.offset, index.length) = (UInt64(piece.offset), UInt64(piece.length))
    (index.compression, index.compressedSize) = (chunk.head.compression, chunk.head.compressedSize)
    index.uncompressedSize = chunk.head.uncompressedSize
    piece.indexes = messages.addIndexes(to: &index)
    piece.index = index
    piece.counts = messages.all
    note(messages.sequences)
    return nil
  }

  /// Notes the numbers of messages, and those that are missing behind a damage.
  private mutating func note(_ messages: [(channel: UInt16, sequence: UInt32)]) {
    guard isOurs else { return }
    var names: [UInt16: ExactName] = [:]
    for message in messages {
      let name: ExactName
      if let known = names[message.channel] {
        name = known
      } else {
        guard let text = summary.channel(message.channel)?.value("stream") else { continue }
        name = ExactName(text)
        names[message.channel] = name
      }
      let before = sequences[name]
      if before?.isAfterDamage ?? damagedBefore {
        let last = before?.last ?? 0
        if message.sequence > last &+ 1 {
          missing.append(Missing(stream: name.text, first: last &+ 1, last: message.sequence &- 1))
        }
      }
      sequences[name] = (message.sequence, false)
    }
    guard !lost.isEmpty else { return }
    for name in names.values { lost.forget(name, stream) }
  }

  /// The name of the stream of a channel.
  private func stream(_ channel: UInt16) -> ExactName? {
    (summary.channel(channel) ?? said?.channel(channel) ?? loose.channel(channel))?.streamName
  }

  /// Notes the messages that are missing at the end of their streams, by the indexes in the damaged parts, and by the
  /// statistics of a finished file.
  private mutating func noteEnds(_ finished: Contents?) {
    guard isOurs, !damages.isEmpty else { return }
    var counts = lost.byStream { stream($0) }
    var whole: [ExactName: UInt64] = [:]
    for piece in pieces {
      for (channel, count) in piece.counts {
        if let name = stream(channel) { whole[name, default: 0] += UInt64(count) }
      }
    }
    for one in missing { whole[ExactName(one.stream), default: 0] += UInt64(one.count) }
    var all: [ExactName: UInt64] = [:]
    for (channel, count) in finished?.summary.counts ?? [:] {
      if let name = stream(channel) { all[name] = all[name, default: 0].addingReportingOverflow(count).partialValue }
    }
    for (name, count) in all where count > whole[name] ?? 0 {
      counts[name] = max(counts[name] ?? 0, UInt32(clamping: count - (whole[name] ?? 0)))
    }
    for (name, count) in counts.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) })
    where count > 0 {
      let last = sequences[name]?.last ?? 0
      let end = last.addingClamped(count)
      guard end > last else { continue }
      missing.append(Missing(stream: name.text, first: last + 1, last: end, isEnd: true))
      ends[name] = end
    }
  }

  /// Compares the indexes behind the last chunk.
  /// - Returns: The offset behind them.
  private mutating func takeIndexes(behind start: Int64) throws(SystemErrno) -> Int64 {
    guard let last = pieces.last else { return start }
    if try file.bytes(at: start, last.indexes.count) == last.indexes {
      return start + Int64(last.indexes.count)
    }
    // Where the last of them begins, and where it ends by its own length.
    var (begin, offset) = (start, start)
    var said: [UInt8] = []
    while let record = try file.record(at: offset), record.kind == RecordKind.messageIndex.rawValue {
      let length = Int64(RecordKind.head) + record.length
      if !isOurs, Int64(said.count) + length <= Int64(MCAP.longestRecord) {
        said += try file.bytes(at: offset, Int(length))
      }
      begin = offset
      offset += length
    }
    // If a length is wrong, or if bytes are missing, this end is within the next chunk. So the search for this chunk
    // begins where the last index begins.
    if try !isRecord(at: offset) { offset = begin }
    guard isOurs else {
      // Another program may write them in another order, or none.
      let own = Self.entries(last.indexes) ?? [:]
      if Self.entries(said).map({ $0.contains { own[$0.key] != $0.value } }) ?? true {
        wrongIndexes.append("the indexes behind the chunk at byte \(last.offset) are not those of its messages")
      }
      return offset
    }
    wrongIndexes.append("the indexes behind the chunk at byte \(last.offset) are not those of its messages")
    // One of them may have another kind or length now, so they end where they should if a record follows there.
    let expected = start + Int64(last.indexes.count)
    return try isRecord(at: expected) ? expected : offset
  }

  /// Whether a record can begin here. If it is a chunk, it has to be whole. The end of the file counts too, because a
  /// run that was killed has written nothing behind its chunks.
  private func isRecord(at offset: Int64) throws(SystemErrno) -> Bool {
    guard offset != file.size else { return true }
    guard let record = try file.record(at: offset), let kind = RecordKind(rawValue: record.kind) else { return false }
    return kind != .chunk || Resynchronization.isGood(offset, record.length, file, reader)
  }

  private struct IndexEntry: Equatable {
    var time: UInt64
    var offset: UInt64
  }

  /// By channel, the times and places of its messages, in their order; nil if an index is malformed.
  private static func entries(_ indexes: [UInt8]) -> [UInt16: [IndexEntry]]? {
    var all: [UInt16: [IndexEntry]] = [:]
    let isWhole = indexes.withUnsafeBytes { bytes in
      var walk = RecordWalk(bytes)
      while let record = walk.next() {
        var cursor = RecordCursor(record.contents)
        let channel = cursor.number(UInt16.self)
        var entries = RecordCursor(cursor.bytes(cursor.length()))
        guard cursor.isWhole, entries.left % 16 == 0 else { return false }
        while entries.left > 0 {
          let time = entries.number(UInt64.self)
          all[channel, default: []].append(IndexEntry(time: time, offset: entries.number(UInt64.self)))
        }
      }
      return walk.isWhole
    }
    return isWhole ? all.mapValues { $0.sorted { ($0.time, $0.offset) < ($1.time, $1.offset) } } : nil
  }

  // MARK: End

  private mutating func checkEnd(_ dataEnd: Int64?, _ finished: Contents?) throws(SystemErrno) {
    for piece in pieces {
      if piece.kind == .metadata {
        summary.metadata.append(
          MetadataIndexRecord(offset: UInt64(piece.offset), length: UInt64(piece.length), rawName: piece.name))
      }
      if let index = piece.index { summary.add(index, counts: piece.counts) }
      if let attachment = piece.attachment { summary.attachments.append(attachment) }
    }
    checkDefinitions()
    guard let dataEnd else { return }
    guard let finished else {
      // The summary of another program may leave out what sluice needs, or know nothing of messages outside of chunks.
      let isCutOff = dataEnd + Int64(MCAP.dataEnd) >= file.size
      let isWhole = try isCutOff ? true : Contents.hasWholeEnd(file, behind: dataEnd)
      if isOurs || !isWhole {
        summaryFault = "the summary behind the data is damaged or torn"
      }
      return
    }
    isFinished = true
    if isOurs {
      let said = finished.summary
      if said.chunks != summary.chunks || said.counts != summary.counts || said.metadata != summary.metadata
        || said.times != summary.times || said.attachments != summary.attachments
      {
        summaryFault = "the summary does not say what is in the data"
      }
    } else if damages.isEmpty {
      summaryFault = Self.fault(of: finished.summary, by: summary, hasLooseMessages: hasLooseMessages)
    }
    guard let crc = finished.dataCRC, damages.isEmpty, wrongIndexes.isEmpty, summaryFault == nil else { return }
    if try file.checksum(of: 0..<dataEnd) != crc { wrongIndexes.append("the checksum of the data is wrong") }
  }

  /// What is wrong with the summary of another program, which may leave out anything.
  private static func fault(of said: Summary, by found: Summary, hasLooseMessages: Bool) -> String? {
    let chunks = Dictionary(found.chunks.map { ($0.offset, $0) }, uniquingKeysWith: { a, _ in a })
    for chunk in said.chunks {
      guard let own = chunks[chunk.offset], own.length == chunk.length, own.compression == chunk.compression,
        own.compressedSize == chunk.compressedSize, own.uncompressedSize == chunk.uncompressedSize
      else { return "the summary has a chunk at byte \(chunk.offset) that is not there" }
      guard own.start == chunk.start, own.end == chunk.end else {
        return "the times that the summary has of the chunk at byte \(chunk.offset) are wrong"
      }
    }
    let attachments = Dictionary(found.attachments.map { ($0.offset, $0) }, uniquingKeysWith: { a, _ in a })
    for attachment in said.attachments where attachments[attachment.offset] != attachment {
      return "the summary has an attachment at byte \(attachment.offset) that is not there"
    }
    let metadata = Dictionary(found.metadata.map { ($0.offset, $0) }, uniquingKeysWith: { a, _ in a })
    for record in said.metadata where metadata[record.offset] != record {
      return "the summary has a metadata record at byte \(record.offset) that is not there"
    }
    // An empty list says that they were not counted. Messages outside of chunks are not counted here.
    let counts = said.counts.filter { $0.value > 0 }
    if !counts.isEmpty, !hasLooseMessages, counts != found.counts.filter({ $0.value > 0 }) {
      return "the numbers of messages in the summary are wrong"
    }
    return nil
  }
}
