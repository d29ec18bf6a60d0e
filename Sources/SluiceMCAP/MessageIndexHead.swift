import SluiceSystem

/// The beginning of an index of the messages of a channel in a chunk.
struct MessageIndexHead {
  let channel: UInt16
  /// The number of its messages.
  let count: Int

  /// - Parameters:
  ///   - offset: The offset of the contents of the record.
  ///   - length: Their length.
  /// - Returns: Nil if the record cannot be one.
  init?(_ file: FileBytes, at offset: Int64, length: Int64) throws(SystemErrno) {
    let head = try file.bytes(at: offset, 6)
    guard length >= 6, head.count == 6 else { return nil }
    let (channel, size) = head.withUnsafeBytes { bytes in
      var cursor = RecordCursor(bytes)
      return (cursor.number(UInt16.self), cursor.number(UInt32.self))
    }
    guard Int64(size) == length - 6, size % 16 == 0 else { return nil }
    (self.channel, count) = (channel, Int(size / 16))
  }
}
