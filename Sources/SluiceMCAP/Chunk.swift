import SluiceSystem

/// A chunk of a file: its messages, decompressed.
struct Chunk {
  let head: ChunkHead
  /// Its messages. They are valid until the reader reads the next chunk.
  let records: ByteRoom

  /// Why a chunk cannot be read.
  enum Fault: Error, Equatable {
    case system(Int32)
    /// A sentence without a subject: `its checksum is wrong`.
    case damaged(String)
    case unsupported(String)

    var text: String {
      switch self {
      case .system(let code): SystemErrno(code).cause ?? String(cString: strerror(code))
      case .damaged(let text), .unsupported(let text): text
      }
    }
  }

  /// Reads a chunk, decompresses it, and compares its checksum.
  /// - Parameters:
  ///   - offset: The offset of its record.
  ///   - length: The length of the contents of the record.
  ///   - reader: Its memory is used again for each chunk.
  init(_ file: FileBytes, at offset: Int64, length: Int64, _ reader: ChunkReader) throws(Fault) {
    // The compression may make it somewhat longer.
    guard length >= 0, length <= Int64(MCAP.longestChunk) + (1 << 20) else {
      throw .damaged("it says that it has \(length) bytes, and the limit is \(MCAP.longestChunk)")
    }
    do throws(SystemErrno) {
      try file.read(at: offset + Int64(RecordKind.head), Int(length), into: reader.contents)
    } catch {
      throw .system(error.code)
    }
    let contents = reader.contents.bytes
    guard contents.count == Int(length) else { throw .damaged("it is torn") }
    guard let head = ChunkHead(contents), head.compressedSize == UInt64(contents.count - head.count) else {
      throw .damaged("its sizes do not agree")
    }
    guard head.uncompressedSize <= UInt64(MCAP.longestChunk) else {
      throw .damaged(
        "it says that it has \(head.uncompressedSize) bytes of messages, and the limit is \(MCAP.longestChunk)")
    }
    do throws(ChunkCompression.Fault) {
      try reader.compression.decompress(
        UnsafeRawBufferPointer(rebasing: contents[head.count...]), head.compression, size: Int(head.uncompressedSize),
        into: reader.records)
    } catch {
      if error.isUnsupported { throw .unsupported(error.text) }
      throw .damaged(error.text)
    }
    // 0 says that there is no checksum.
    guard head.uncompressedCRC == 0 || CRC32(reader.records.bytes).value == head.uncompressedCRC else {
      throw .damaged("its checksum is wrong")
    }
    (self.head, records) = (head, reader.records)
  }

  /// Calls the closure with each record, until it returns false.
  /// - Returns: Whether the records are whole.
  @discardableResult
  func forEach(_ body: (_ kind: UInt8, _ contents: UnsafeRawBufferPointer, _ offset: Int) -> Bool) -> Bool {
    var walk = RecordWalk(records.bytes)
    while let record = walk.next() {
      guard body(record.kind, record.contents, record.offset) else { return true }
    }
    return walk.isWhole
  }
}

/// Reads one chunk after the other. One thread at a time uses it.
final class ChunkReader {
  let compression = ChunkCompression()
  /// The contents of a chunk's record, and its messages.
  let contents = ByteRoom()
  let records = ByteRoom()

  init() {}
}
