/// Reads the contents of a record. After a read beyond the end, ``isWhole`` is false, and what was read is 0 or empty.
struct RecordCursor {
  let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int
  private(set) var isWhole = true

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

  var left: Int { bytes.count - offset }

  /// Moves on.
  /// - Returns: The offset before; nil if there are not so many bytes.
  private mutating func take(_ count: Int) -> Int? {
    guard isWhole, count >= 0, count <= left else {
      isWhole = false
      return nil
    }
    defer { offset += count }
    return offset
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    guard let start = take(MemoryLayout<Number>.size) else { return 0 }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Number.self))
  }

  mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    guard let start = take(count) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  /// The length of what follows. On a machine of 32 bits, none is longer than memory.
  mutating func length() -> Int { Int(clamping: number(UInt32.self)) }

  mutating func text() -> String { String(decoding: bytes(length()), as: UTF8.self) }

  /// A text as it is, which may not be UTF-8.
  mutating func rawText() -> [UInt8] { Array(bytes(length())) }

  mutating func map() -> [(key: String, value: String)] {
    var map: [(key: String, value: String)] = []
    var inner = RecordCursor(bytes(length()))
    while inner.left > 0, inner.isWhole { map.append((inner.text(), inner.text())) }
    if !inner.isWhole { isWhole = false }
    return map
  }
}
