import Sluice
public import SluiceReadings

/// Encoded readings: the bytes, and the end of each reading.
///
/// With the ends, the readings that were written before an error are known without parsing the text.
public final class EncodedRows: @unchecked Sendable {
  // It has no lock, because it has one owner at a time, who passes it on.

  /// The bytes.
  public let text: TextBuffer
  /// Only its owner writes, one call at a time: see `TextBuffer`.
  @exclusivity(unchecked) private var ends: UnsafeMutablePointer<End>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private(set) var count = 0
  /// By stream, the number of readings that the format cannot hold.
  private(set) var leftOut: [Int: Int] = [:]

  /// The end of a reading.
  private struct End {
    var offset: UInt32
    var stream: UInt16
  }

  /// Makes an empty buffer.
  public init(capacity: Int = 256) {
    text = TextBuffer(capacity: capacity)
    self.capacity = max(16, capacity / 16)
    ends = .allocate(capacity: self.capacity)
  }

  deinit { ends.deallocate() }

  // MARK: Batches

  /// The bytes of a batch.
  package static var batch: Int { 64 << 10 }
  /// Spare buffers for later batches of all outputs, because the process keeps freed memory anyway.
  private static let spares = Locked<[EncodedRows]>([])
  private static let largeSpares = Locked<[EncodedRows]>([])
  private static var spareCount: Int { mostWaiting / batch }
  /// The number of encoded bytes of an output that may wait for its disk.
  static var mostWaiting: Int { 1 << 20 }

  /// A buffer for the batch after one of `length` bytes. After a full one it has room for a batch and the row that
  /// completes it. Otherwise it starts small, because a folder may have thousands of outputs that each get a few rows.
  package static func spare(after length: Int) -> EncodedRows {
    if length > 2 * batch, let large = largeSpares.withLock({ $0.popLast() }) { return large }
    return spares.withLock { $0.popLast() } ?? EncodedRows(capacity: length < batch ? 256 : batch + batch / 4)
  }

  /// Keeps the buffer for another batch, after its readings were written.
  package func recycle() {
    removeAll()
    // Those of formats with large batches would keep many MB.
    guard text.capacity <= 2 * Self.batch else {
      return Self.largeSpares.withLock { if $0.count < 4 { $0.append(self) } }
    }
    Self.spares.withLock { if $0.count < Self.spareCount { $0.append(self) } }
  }

  // MARK: Readings

  /// Marks the end of a reading of this stream.
  @inline(__always)
  public func end(_ stream: StreamID) {
    if count == capacity { grow() }
    ends[count] = End(offset: UInt32(truncatingIfNeeded: text.count), stream: stream.index)
    count += 1
  }

  /// Counts a reading that the format cannot hold.
  public func leaveOut(_ stream: StreamID) { leftOut[Int(stream.index), default: 0] += 1 }

  /// Removes all readings.
  public func removeAll() {
    text.removeAll()
    count = 0
    if !leftOut.isEmpty { leftOut = [:] }
  }

  /// The end of the last whole reading within the first `bytes`.
  func wholeReadings(in bytes: Int) -> Int {
    let whole = firstEnd { $0.offset > bytes }
    return whole == 0 ? 0 : Int(ends[whole - 1].offset)
  }

  /// By stream, the number of readings that end after the first `bytes`.
  func readings(behind bytes: Int) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for index in firstEnd(where: { $0.offset > bytes })..<count { counts[Int(ends[index].stream), default: 0] += 1 }
    return counts
  }

  /// Adds the number of readings of each stream.
  func count(into counts: inout [Int]) { count(0..<count, into: &counts) }

  /// Adds the number of readings of each stream that end within these bytes.
  func count(into counts: inout [Int], from start: Int, to end: Int) {
    let range = firstEnd { $0.offset > start }..<firstEnd { $0.offset > end }
    count(start < end ? range : 0..<0, into: &counts)
  }

  private func count(_ range: Range<Int>, into counts: inout [Int]) {
    // Read once, because the loop runs for each reading.
    let (ends, end) = (ends, range.upperBound)
    var index = range.lowerBound
    while index < end {
      let stream = ends[index].stream
      let first = index
      repeat { index += 1 } while index < end && ends[index].stream == stream
      while counts.count <= stream { counts.append(0) }
      counts[Int(stream)] += index - first
    }
  }

  private func firstEnd(where isBehind: (End) -> Bool) -> Int {
    (0..<count).first { isBehind(ends[$0]) } ?? count
  }

  private func grow() {
    let larger = UnsafeMutablePointer<End>.allocate(capacity: capacity * 2)
    larger.update(from: ends, count: count)
    ends.deallocate()
    ends = larger
    capacity *= 2
  }
}
