import SluiceSystem

/// A chunk of a file: its messages, decompressed.
struct Chunk {
  var head: ChunkHead
  var records: [UInt8]

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
  init(
    _ file: FileBytes, at offset: Int64, length: Int64, _ compression: ChunkCompression
  ) throws(Fault) {
    // The compression may make it somewhat longer.
    guard length <= Int64(MCAP.longestChunk) + (1 << 20) else {
      throw .damaged("it says that it has \(length) bytes, and the limit is \(MCAP.longestChunk)")
    }
    let contents: [UInt8]
    do throws(SystemErrno) { contents = try file.bytes(at: offset + Int64(RecordKind.head), Int(length)) } catch {
      throw .system(error.code)
    }
    guard contents.count == Int(length) else { throw .damaged("it is torn") }
    try self.init(contents, compression)
  }

  /// - Parameter contents: The contents of its record.
  init(_ contents: [UInt8], _ compression: ChunkCompression) throws(Fault) {
    let opened = contents.withUnsafeBytes { bytes in
      Result { () throws(Fault) in try Self.open(bytes, compression) }
    }
    (head, records) = try opened.get()
  }

  private static func open(
    _ contents: UnsafeRawBufferPointer, _ compression: ChunkCompression
  ) throws(Fault) -> (ChunkHead, [UInt8]) {
    guard let head = ChunkHead(contents), head.compressedSize == UInt64(contents.count - head.count) else {
      throw .damaged("its sizes do not agree")
    }
    guard head.uncompressedSize <= UInt64(MCAP.longestChunk) else {
      throw .damaged(
        "it says that it has \(head.uncompressedSize) bytes of messages, and the limit is \(MCAP.longestChunk)")
    }
    let records: [UInt8]
    do throws(ChunkCompression.Fault) {
      records = try compression.decompress(
        UnsafeRawBufferPointer(rebasing: contents[head.count...]), head.compression, size: Int(head.uncompressedSize))
    } catch {
      if error.isUnsupported { throw .unsupported(error.text) }
      throw .damaged(error.text)
    }
    // 0 says that there is no checksum.
    guard head.uncompressedCRC == 0 || CRC32(records).value == head.uncompressedCRC else {
      throw .damaged("its checksum is wrong")
    }
    return (head, records)
  }

  /// Calls the closure with each record, until it returns false.
  /// - Returns: Whether the records are whole.
  @discardableResult
  func forEach(_ body: (_ kind: UInt8, _ contents: UnsafeRawBufferPointer, _ offset: Int) -> Bool) -> Bool {
    records.withUnsafeBytes { bytes in
      var walk = RecordWalk(bytes)
      while let record = walk.next() {
        guard body(record.kind, record.contents, record.offset) else { return true }
      }
      return walk.isWhole
    }
  }
}
