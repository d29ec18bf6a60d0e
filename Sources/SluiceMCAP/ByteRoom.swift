/// Bytes that are used again for each chunk: memory that is new each time costs more than to compress it.
///
/// One thread at a time uses it.
final class ByteRoom {
  private(set) var start: UnsafeMutableRawPointer
  private var capacity: Int
  var count = 0

  init() {
    capacity = 64
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { start.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Forgets the bytes, and has room for so many.
  func empty(for length: Int) {
    count = 0
    // A single large chunk does not keep its memory.
    guard length > capacity || capacity > 8 << 20 && length < capacity / 4 else { return }
    start.deallocate()
    capacity = length + length / 8
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  /// Appends bytes, for which there has to be room.
  func append(_ more: UnsafeRawBufferPointer) {
    guard let from = more.baseAddress, more.count <= capacity - count else { return }
    (start + count).copyMemory(from: from, byteCount: more.count)
    count += more.count
  }

  func append(_ more: [UInt8]) { more.withUnsafeBytes { append($0) } }

  func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    start.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}
