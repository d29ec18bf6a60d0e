import SluiceSystem

/// Finds what is whole behind a damage.
enum Resynchronization {
  /// The offset of the next chunk whose checksum is right, of the metadata of a run, of an attachment, or of the end of the
  /// data: found by the length of the damaged record if that is right, and otherwise by a search for a chunk. Definitions and
  /// messages outside of chunks have no checksum. They count if the lengths lead on from there to what has one.
  /// - Returns: Nil if there is none.
  static func next(
    after damage: Int64, in file: FileBytes, _ reader: ChunkReader
  ) throws(SystemErrno) -> Int64? {
    if let next = try following(damage, file, reader) { return next }
    let window = 1 << 20
    var offset = damage + 1
    while offset < file.size {
      let bytes = try file.bytes(at: offset, window)
      if bytes.isEmpty { return nil }
      for (place, byte) in bytes.enumerated() where byte == RecordKind.chunk.rawValue {
        let start = offset + Int64(place)
        guard let record = try plausible(bytes, place, start, file), isGood(start, record, file, reader) else {
          continue
        }
        return start
      }
      offset += Int64(bytes.count)
    }
    return nil
  }

  /// Steps over a damaged record by its length, and over what follows, up to what is whole.
  /// - Returns: Nil if a length leads nowhere.
  private static func following(
    _ damage: Int64, _ file: FileBytes, _ reader: ChunkReader
  ) throws(SystemErrno) -> Int64? {
    var offset = damage
    var first: Int64?
    // Definitions alone, with no message behind them, are nothing that is whole.
    var hasMessage = false
    while let record = try file.record(at: offset) {
      if offset > damage {
        // The kind of the damaged record itself may be what is damaged.
        guard let kind = RecordKind(rawValue: record.kind) else { return nil }
        if kind == .dataEnd, record.length == 4 { return hasMessage ? first : offset }
        if kind == .chunk, isGood(offset, record.length, file, reader) { return first ?? offset }
        if kind == .metadata, try isMetadata(offset, file) { return first ?? offset }
        if kind == .attachment,
          try AttachmentIndexRecord(of: file, at: offset, length: record.length, needsChecksum: true) != nil
        {
          return first ?? offset
        }
        if first == nil, [.schema, .channel, .message, .attachment].contains(kind) { first = offset }
        hasMessage = hasMessage || kind == .message || kind == .attachment
      }
      offset += Int64(RecordKind.head) + record.length
    }
    // A program that was killed has written no end.
    return offset == file.size && hasMessage ? first : nil
  }

  /// The length of the record at a place, if it may be a chunk.
  private static func plausible(
    _ bytes: [UInt8], _ place: Int, _ start: Int64, _ file: FileBytes
  ) throws(SystemErrno) -> Int64? {
    // The upper bytes of a length are 0. This leaves out nearly all places without another read.
    if place + RecordKind.head <= bytes.count,
      bytes[place + 5] != 0 || bytes[place + 6] != 0 || bytes[place + 7] != 0 || bytes[place + 8] != 0
    {
      return nil
    }
    guard let record = try file.record(at: start), record.length >= 40,
      record.length <= Int64(MCAP.longestChunk) + (1 << 20)
    else { return nil }
    let head = try file.bytes(
      at: start + Int64(RecordKind.head), Int(min(record.length, Int64(ChunkHead.longest))))
    guard let head = head.withUnsafeBytes({ ChunkHead($0) }),
      head.compressedSize == UInt64(record.length) - UInt64(min(record.length, Int64(head.count))),
      head.uncompressedSize <= UInt64(MCAP.longestChunk), ["", "zstd", "lz4"].contains(head.compression)
    else { return nil }
    return record.length
  }

  /// Whether this is a metadata record with a checksum, and it is right.
  private static func isMetadata(_ offset: Int64, _ file: FileBytes) throws(SystemErrno) -> Bool {
    guard let bytes = try file.contents(of: .metadata, at: offset, limit: MCAP.longestRecord),
      let record = bytes.withUnsafeBytes({ MetadataRecord($0) })
    else { return false }
    return MCAPMetadata.isWhole(record, isOurs: true)
  }

  /// Whether this chunk is whole.
  static func isGood(
    _ offset: Int64, _ length: Int64, _ file: FileBytes, _ reader: ChunkReader
  ) -> Bool {
    do throws(Chunk.Fault) {
      let chunk = try Chunk(file, at: offset, length: length, reader)
      return chunk.forEach { _, _, _ in true }
    } catch {
      if case .unsupported = error { return true }
      return false
    }
  }
}
