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
    ChunkBytes.make(
      records.bytes, times, indexes.map { ($0.channel, ChunkBytes.entries($0.entries), $0.entries.count) }, compression,
      at: offset)
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

  /// - Parameter indexes: By channel, the bytes of the times and offsets of its messages, and their number.
  static func make(
    _ records: [UInt8], _ times: ClosedRange<UInt64>?, _ indexes: [(channel: UInt16, entries: [UInt8], count: Int)],
    _ compression: ChunkCompression, at offset: Int64
  ) -> (bytes: [UInt8], index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)]) {
    var compressed: [UInt8] = []
    let name = compression.compress(records, into: &compressed)
    var index = ChunkIndexRecord()
    (index.start, index.end) = (times?.lowerBound ?? 0, times?.upperBound ?? 0)
    (index.compression, index.compressedSize) = (name, UInt64(compressed.count))
    (index.offset, index.uncompressedSize) = (UInt64(offset), UInt64(records.count))
    var writer = RecordWriter()
    writer.append(.chunk) { writer in
      writer.append(index.start)
      writer.append(index.end)
      writer.append(index.uncompressedSize)
      writer.append(CRC32(records).value)
      writer.append(name)
      writer.append(index.compressedSize)
      writer.append(raw: compressed)
    }
    index.length = UInt64(writer.bytes.count)
    for part in indexes {
      index.indexes.append((part.channel, UInt64(offset) + UInt64(writer.bytes.count)))
      writer.append(.messageIndex) { writer in
        writer.append(part.channel)
        writer.append(UInt32(truncatingIfNeeded: part.entries.count))
        writer.append(raw: part.entries)
      }
    }
    index.indexLength = UInt64(writer.bytes.count) - index.length
    return (writer.bytes, index, indexes.map { ($0.channel, $0.count) })
  }
}
