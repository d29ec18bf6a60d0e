/// The beginning of a message record, before its data.
struct MessageHead {
  /// The bytes of the head.
  static let size = 22
  /// The same, with the kind and the length of the record.
  static let count = RecordKind.head + size

  var channel: UInt16
  var sequence: UInt32
  /// Nanoseconds since 1970.
  var logTime: UInt64
  var publishTime: UInt64

  /// - Parameter contents: The contents of the record.
  init?(_ contents: UnsafeRawBufferPointer) {
    guard contents.count >= Self.size else { return nil }
    channel = UInt16(littleEndian: contents.loadUnaligned(as: UInt16.self))
    sequence = UInt32(littleEndian: contents.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
    logTime = UInt64(littleEndian: contents.loadUnaligned(fromByteOffset: 6, as: UInt64.self))
    publishTime = UInt64(littleEndian: contents.loadUnaligned(fromByteOffset: 14, as: UInt64.self))
  }

  /// The time of the reading. MCAP has no times before 1970: there the time of the log is 0, and the other time has the bits
  /// of the negative number.
  var time: Int64 {
    if logTime == 0, publishTime > UInt64(Int64.max) { return Int64(bitPattern: publishTime) }
    return Int64(clamping: logTime)
  }

  /// Whether the time is after the last one that a reading can have, in the year 2262.
  var isPastEnd: Bool { logTime > UInt64(Int64.max) }
}

/// Walks through the records of a chunk, or of any other part of a file that is in memory.
struct RecordWalk {
  let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all bytes were records.
  var isWhole: Bool { offset == bytes.count }

  /// The next record: the number of its kind, its contents, and its offset; nil at the end, or before a torn record.
  mutating func next() -> (kind: UInt8, contents: UnsafeRawBufferPointer, offset: Int)? {
    guard bytes.count - offset >= RecordKind.head else { return nil }
    let kind = bytes[offset]
    let length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self))
    guard kind != 0, length <= UInt64(bytes.count - offset - RecordKind.head) else { return nil }
    let start = offset + RecordKind.head
    defer { offset = start + Int(length) }
    return (kind, UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(length)]), offset)
  }
}
