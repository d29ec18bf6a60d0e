import SluiceSystem

/// Makes a chunk of messages, with the indexes behind it.
final class ChunkBuilder {
  private let compression = ChunkCompression()
  private var records = RecordWriter()
  private var indexes: [(channel: UInt16, entries: [(time: UInt64, offset: UInt64)])] = []
  private var places: [UInt16: Int] = [:]
  private var times: ClosedRange<UInt64>?

  /// Adds the definition of a schema or of a channel.
  func add(_ body: (inout RecordWriter) -> Void) { body(&records) }

  /// Adds a message.
  func add(channel: UInt16, sequence: UInt32, logTime: UInt64, publishTime: UInt64, data: UnsafeRawBufferPointer) {
    note(channel, logTime)
    records.append(.message) { writer in
      writer.append(channel)
      writer.append(sequence)
      writer.append(logTime)
      writer.append(publishTime)
      writer.append(raw: data)
    }
  }

  private func note(_ channel: UInt16, _ time: UInt64) {
    let entry = (time, UInt64(records.bytes.count))
    if let place = places[channel] {
      indexes[place].entries.append(entry)
    } else {
      places[channel] = indexes.count
      indexes.append((channel, [entry]))
    }
    times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
  }

  /// The bytes of the chunk and of its indexes, and its place in the index of the file.
  /// - Parameter offset: The length of the file before it.
  func chunk(
    at offset: Int64
  ) -> (bytes: [UInt8], index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)]) {
    var writer = RecordWriter()
    var parts: [(channel: UInt16, offset: Int, count: Int)] = []
    for index in indexes {
      parts.append((index.channel, writer.bytes.count, index.entries.count))
      let entries = ChunkBytes.entries(index.entries)
      writer.append(.messageIndex) { writer in
        writer.append(index.channel)
        writer.append(UInt32(truncatingIfNeeded: entries.count))
        writer.append(raw: entries)
      }
    }
    let room = ByteRoom()
    room.empty(for: ChunkBytes.bound(records.bytes.count, writer.bytes.count, compression))
    let made = records.bytes.withUnsafeBytes { records in
      writer.bytes.withUnsafeBytes { indexes in
        ChunkBytes.append(records, times, indexes, parts, compression, to: room, at: offset)
      }
    }
    return (Array(room.bytes), made.index, made.counts)
  }
}

/// The bytes of a chunk.
enum ChunkBytes {
  static func entries(_ entries: [(time: UInt64, offset: UInt64)]) -> [UInt8] {
    var writer = RecordWriter()
    for entry in entries {
      writer.append(entry.time)
      writer.append(entry.offset)
    }
    return writer.bytes
  }

  /// The bytes of a chunk record before its messages, with a compression of a short name.
  private static func head(_ name: String) -> Int { RecordKind.head + 40 + name.utf8.count }

  /// Appends a chunk and its indexes.
  /// - Parameters:
  ///   - room: What stands before the chunk; it gets the chunk.
  ///   - indexes: The indexes of the messages of each channel: records, one behind the other.
  ///   - parts: By channel, the offset of its index in these, and the number of its messages.
  ///   - offset: The length of the file before the chunk.
  static func append(
    _ records: UnsafeRawBufferPointer, _ times: ClosedRange<UInt64>?, _ indexes: UnsafeRawBufferPointer,
    _ parts: [(channel: UInt16, offset: Int, count: Int)], _ compression: ChunkCompression, to room: ByteRoom,
    at offset: Int64
  ) -> (index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)]) {
    let begin = room.count
    // The name of the compression is known only behind it, and none is longer.
    let longest = head("zstd")
    let (count, name) = compression.compress(records, into: room.start + begin + longest)
    let length = head(name)
    if length < longest { memmove(room.start + begin + length, room.start + begin + longest, count) }
    room.put(RecordKind.chunk.rawValue, at: begin)
    room.put(UInt64(length - RecordKind.head + count), at: begin + 1)
    room.put(times?.lowerBound ?? 0, at: begin + 9)
    room.put(times?.upperBound ?? 0, at: begin + 17)
    room.put(UInt64(records.count), at: begin + 25)
    room.put(CRC32(records).value, at: begin + 33)
    room.put(UInt32(name.utf8.count), at: begin + 37)
    for (place, byte) in name.utf8.enumerated() { room.put(byte, at: begin + 41 + place) }
    room.put(UInt64(count), at: begin + length - 8)
    room.count = begin + length + count
    room.append(indexes)
    var index = ChunkIndexRecord()
    (index.start, index.end) = (times?.lowerBound ?? 0, times?.upperBound ?? 0)
    (index.offset, index.length) = (UInt64(offset), UInt64(length + count))
    index.indexes = parts.map { ($0.channel, index.offset + index.length + UInt64($0.offset)) }
    index.indexLength = UInt64(indexes.count)
    (index.compression, index.compressedSize, index.uncompressedSize) = (name, UInt64(count), UInt64(records.count))
    return (index, parts.map { ($0.channel, $0.count) })
  }

  /// The room that ``append(_:_:_:_:_:to:at:)`` may need.
  static func bound(_ records: Int, _ indexes: Int, _ compression: ChunkCompression) -> Int {
    head("zstd") + compression.bound(records) + indexes
  }
}
