package import SluiceReadings
package import SluiceSystem

/// Reads the readings of a log in their order, and says which are missing.
package struct LogReader {
  package enum Item: Equatable {
    /// Readings, and the sequence number of the first.
    case readings(first: UInt64, [Reading])
    /// Readings that were in the log and cannot be read: their sequence numbers.
    case lost(Range<UInt64>)
    /// Everything that is in the log now was read.
    case end
  }

  private let log: SegmentLog
  /// The sequence number of the next reading.
  package private(set) var position: UInt64
  private var open: (first: UInt64, descriptor: Int32, reader: SegmentReader)?
  /// The segments before `from` were read, and the segment `from` up to `offset`.
  private var (from, offset): (UInt64, Int64) = (0, 0)
  private var found: Item?
  /// The ordinals of the readings that were read last.
  package private(set) var ordinals = ReadingOrdinals()
  /// The random number of the run that has appended the readings that were read last; 0 if it is not known.
  package private(set) var run: UInt64 = 0

  init(_ log: SegmentLog, from first: UInt64) {
    (self.log, position) = (log, first)
    // The segment that has this reading.
    from = log.segments.last { $0.first <= first }?.first ?? 0
  }

  package mutating func next() throws(SystemErrno) -> Item {
    if let found {
      self.found = nil
      if case .readings(let first, let readings) = found { position = first + UInt64(readings.count) }
      return found
    }
    while true {
      if open == nil, try !openNext() { return lost(before: log.next) ?? .end }
      guard let first = open?.first, let descriptor = open?.descriptor, let item = try open?.reader.next() else {
        continue
      }
      switch item {
      case .record(let record, let payload):
        if record.kind == .run { run = LogRecord.run(payload) ?? 0 }
        guard record.kind.hasReadings, record.end > position else { continue }
        // The record is of another log, or of another segment.
        guard record.first >= first, record.end <= log.limit(of: first) else {
          log.found(damageIn: first)
          continue
        }
        guard let (readings, ordinals) = Self.decoded(record, payload) else {
          // The checksum is right, but the bytes are no run: a later version has written them.
          log.found(damageIn: first)
          continue
        }
        let known = record.first < position ? Int(position - record.first) : 0
        let item = Item.readings(first: record.first + UInt64(known), Array(readings.dropFirst(known)))
        self.ordinals = ordinals.dropFirst(known)
        if let lost = lost(before: record.first) {
          found = item
          return lost
        }
        position = record.end
        return item
      case .lost, .damage: log.found(damageIn: first)
      case .torn: break
      case .end:
        try? log.files.close(descriptor)
        // It may still grow, if it is the last.
        (from, offset) = (first, open?.reader.offset ?? 0)
        open = nil
      }
    }
  }

  private static func decoded(_ record: LogRecord, _ payload: [UInt8]) -> ([Reading], ReadingOrdinals)? {
    var (run, ordinals) = (payload, ReadingOrdinals())
    if record.kind == .numberedReadings {
      var rest = payload[...]
      guard let noted = ReadingOrdinals(takenFrom: &rest) else { return nil }
      (run, ordinals) = (Array(rest), noted)
    }
    guard let readings = try? ReadingDecoder.readings(run), readings.count == record.count else { return nil }
    return (readings, ordinals)
  }

  private mutating func lost(before number: UInt64) -> Item? {
    guard number > position else { return nil }
    defer { position = number }
    return .lost(position..<number)
  }

  /// Goes on behind a place that the disk cannot read, if it can read what is behind it. The readings between count as lost.
  /// Without anything that can be read there, the disk may be away, and nothing is left out.
  package mutating func leaveOut() -> Bool {
    guard let segment = open.map({ open in log.segments.first { $0.first == open.first } }) ?? nextSegment else {
      return false
    }
    if var reader = open?.reader {
      while reader.leaveOut() {
        var behind = reader
        guard (try? behind.next()) != nil else { continue }
        log.found(damageIn: segment.first)
        open?.reader = reader
        return true
      }
    }
    let isReadable = log.segments.contains { $0.first > segment.first && log.canRead($0) }
    guard isReadable else { return false }
    log.found(damageIn: segment.first)
    close()
    (from, offset) = (segment.first, segment.size)
    return true
  }

  private var nextSegment: SegmentLog.Segment? {
    log.segments.first { $0.first > from || $0.first == from && $0.size > offset }
  }

  private mutating func openNext() throws(SystemErrno) -> Bool {
    guard let segment = nextSegment else { return false }
    let start = segment.first == from ? offset : 0
    if start == 0 { run = 0 }
    do throws(SystemErrno) {
      let descriptor = try log.open(segment)
      open = (segment.first, descriptor, SegmentReader(log.files, descriptor, size: segment.size, from: start))
    } catch  where error.code == ENOENT {
      // Another program has removed it.
      (from, offset) = (segment.first, segment.size)
    }
    return true
  }

  /// Closes the segment that is open.
  package mutating func close() {
    if let open { try? log.files.close(open.descriptor) }
    open = nil
  }
}
