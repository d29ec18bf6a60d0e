import SluiceSystem

/// Reads the records of one segment in their order, and steps over damage. It holds one record at a time, so its memory does
/// not depend on the size of the segment.
struct SegmentReader {
  enum Item: Equatable {
    case record(LogRecord, payload: [UInt8])
    /// A record whose payload is damaged; its head is whole.
    case lost(LogRecord)
    /// The beginning of a record at the end of the segment. Its write did not end, so its readings do not count.
    case torn
    /// The place of bytes that are no record.
    case damage(Range<Int64>)
    case end
  }

  private let files: any FileSystem
  private let descriptor: Int32
  private let size: Int64
  private(set) var offset: Int64
  /// The record that was found behind damage, and is returned next.
  private var found: Item?

  /// The number of bytes that are searched at once for the next record behind damage.
  private static let block = 1 << 16

  /// - Parameters:
  ///   - size: The bytes that are read.
  ///   - offset: The place of the first record.
  init(_ files: any FileSystem, _ descriptor: Int32, size: Int64, from offset: Int64) {
    (self.files, self.descriptor, self.size, self.offset) = (files, descriptor, size, offset)
  }

  /// The record at the beginning; nil if there is none. Nothing is searched.
  mutating func first() throws(SystemErrno) -> Item? {
    guard let record = try firstHead() else { return nil }
    return try item(record, at: 0)
  }

  /// The head at the beginning, without its payload; nil if it is damaged.
  func firstHead() throws(SystemErrno) -> LogRecord? {
    LogRecord(try bytes(0, LogRecord.headSize), LogRecord.front)
  }

  mutating func next() throws(SystemErrno) -> Item {
    if let found {
      self.found = nil
      return found
    }
    guard offset < size else { return .end }
    if let record = LogRecord(try bytes(offset, LogRecord.headSize), LogRecord.front) {
      return try item(record, at: offset)
    }
    let start = offset
    guard size - start >= Int64(LogRecord.headSize) else {
      offset = size
      return .torn
    }
    guard let (record, place) = try search(from: start) else {
      offset = size
      return .damage(start..<size)
    }
    let item = try item(record, at: place)
    // A damaged head alone costs nothing.
    guard place > start else { return item }
    found = item
    return .damage(start..<place)
  }

  /// Leaves out a block, because the disk cannot read it.
  /// - Returns: False if nothing is behind it.
  mutating func leaveOut() -> Bool {
    guard size - offset > Int64(Self.block) else { return false }
    offset += Int64(Self.block)
    found = nil
    return true
  }

  /// The record of this head: whole, damaged or torn.
  private mutating func item(_ record: LogRecord, at place: Int64) throws(SystemErrno) -> Item {
    let end = place + Int64(record.size)
    // It is torn also if only its second head is missing: then the append has failed, and its readings were not counted.
    guard end <= size else {
      offset = size
      return .torn
    }
    // The head behind it may be damaged, if the payload is whole.
    let payload = try bytes(place + Int64(LogRecord.headSize), record.payloadCount)
    offset = end
    guard payload.count == record.payloadCount, CRC32C.of(payload) == record.check else { return .lost(record) }
    return .record(record, payload: payload)
  }

  /// The first record behind a place: by its first head, or by its second if the first is damaged.
  private func search(from start: Int64) throws(SystemErrno) -> (LogRecord, at: Int64)? {
    var place = start
    while place < size {
      // The blocks overlap by a head, so that no head is cut.
      let block = try bytes(place, Self.block + LogRecord.headSize)
      guard block.count >= LogRecord.headSize else { return nil }
      let last = block.count - LogRecord.headSize
      for index in 0...last where block[index] == UInt8(truncatingIfNeeded: LogRecord.front) {
        let head = block[index..<index + LogRecord.headSize]
        if let record = LogRecord(head, LogRecord.front) { return (record, place + Int64(index)) }
        guard let record = LogRecord(head, LogRecord.back) else { continue }
        let begin = place + Int64(index) - Int64(LogRecord.headSize + record.payloadCount)
        // Otherwise it is the second head of a record before the damage, which was returned already.
        if begin >= start { return (record, begin) }
      }
      guard last >= Self.block else { return nil }
      place += Int64(Self.block)
    }
    return nil
  }

  private func bytes(_ place: Int64, _ count: Int) throws(SystemErrno) -> [UInt8] {
    let count = Int(min(Int64(count), max(0, size - place)))
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try bytes.withUnsafeMutableBytes { room in
      Result { () throws(SystemErrno) in try files.read(descriptor, at: place, fill: room) }
    }.get()
    bytes.removeLast(count - read)
    return bytes
  }
}
