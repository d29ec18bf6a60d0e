import SluiceSystem

/// The place of an attachment: a file that another program has put into the recording.
struct AttachmentIndexRecord: Equatable {
  var offset: UInt64 = 0
  var length: UInt64 = 0
  var logTime: UInt64 = 0
  var createTime: UInt64 = 0
  var dataSize: UInt64 = 0
  /// The name and the media type, as they are: a name that is not UTF-8 stays the same.
  var name: [UInt8] = []
  var mediaType: [UInt8] = []

  func write(to writer: inout RecordWriter) {
    writer.append(.attachmentIndex) { writer in
      for number in [offset, length, logTime, createTime, dataSize] { writer.append(number) }
      for text in [name, mediaType] {
        writer.append(UInt32(truncatingIfNeeded: text.count))
        writer.append(raw: text)
      }
    }
  }

  init?(_ contents: UnsafeRawBufferPointer) {
    var cursor = RecordCursor(contents)
    (offset, length) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
    (logTime, createTime) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
    dataSize = cursor.number(UInt64.self)
    (name, mediaType) = (cursor.rawText(), cursor.rawText())
    guard cursor.isWhole else { return nil }
  }

  /// The longest beginning of an attachment that is read: its times, name and type.
  private static let longestHead = 64 << 10

  /// Reads an attachment, and compares its checksum.
  /// - Parameters:
  ///   - offset: The offset of its record.
  ///   - length: The length of the contents of the record.
  ///   - needsChecksum: Whether one without a checksum is none. MCAP allows it.
  /// - Returns: Nil if it is malformed, or its checksum is wrong.
  init?(of file: FileBytes, at offset: Int64, length: Int64, needsChecksum: Bool) throws(SystemErrno) {
    let start = offset + Int64(RecordKind.head)
    let head = try file.bytes(at: start, Int(min(length, Int64(Self.longestHead))))
    let dataOffset: Int? = head.withUnsafeBytes { head in
      var cursor = RecordCursor(head)
      (logTime, createTime) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
      (name, mediaType) = (cursor.rawText(), cursor.rawText())
      dataSize = cursor.number(UInt64.self)
      return cursor.isWhole ? cursor.offset : nil
    }
    guard let dataOffset, length >= Int64(dataOffset) + 4, dataSize == UInt64(length - Int64(dataOffset) - 4) else {
      return nil
    }
    (self.offset, self.length) = (UInt64(offset), UInt64(length) + UInt64(RecordKind.head))
    let end = start + length - 4
    let bytes = try file.bytes(at: end, 4)
    guard bytes.count == 4 else { return nil }
    let said = bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    guard said != 0 else {
      if needsChecksum { return nil }
      return
    }
    guard try file.checksum(of: start..<end) == said else { return nil }
  }
}

extension FileBytes {
  /// The checksum of a part of the file.
  func checksum(of range: Range<Int64>) throws(SystemErrno) -> UInt32 {
    var crc = CRC32()
    var offset = range.lowerBound
    while offset < range.upperBound {
      let bytes = try bytes(at: offset, Int(min(1 << 20, range.upperBound - offset)))
      if bytes.isEmpty { break }
      bytes.withUnsafeBytes { crc.add($0) }
      offset += Int64(bytes.count)
    }
    return crc.value
  }
}
