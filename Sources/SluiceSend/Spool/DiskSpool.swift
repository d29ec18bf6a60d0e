import SluiceLog
import SluiceReadings
@_spi(Preview) import SluiceRecording
import SluiceSystem

/// A spool on the disk: a log of readings. What is acknowledged stays as a ring while there is room.
final class DiskSpool: SendSpool {
  let log: SegmentLog
  private let limit: Int64
  private var reader: LogReader
  /// A record of the log of which only a part was returned.
  private var rest: SendBatch?
  private var isDirty = false
  /// The number behind the last reading that was read or given up.
  private var readNext: UInt64
  let settled: UInt64
  private var settledNow: UInt64
  let isLasting = true

  init(_ log: SegmentLog, limit: Int64) {
    (self.log, self.limit) = (log, limit)
    reader = log.reader()
    (settled, settledNow, readNext) = (log.watermark.next, log.watermark.next, log.watermark.next)
  }

  var next: UInt64 { log.next }
  var byteCount: Int64 { log.byteCount }

  func append(_ readings: [Reading], _ ordinals: ReadingOrdinals) throws {
    while log.byteCount >= limit {
      guard try makeRoom() else { throw SpoolFull() }
    }
    // Otherwise a run that is killed before the first acknowledgement would find no watermark.
    if !log.hadWatermark { try log.advance(LogWatermark(next: settledNow), keeps: true) }
    try log.append(readings, ordinals)
    isDirty = true
  }

  /// Removes the oldest segment of the ring.
  private func makeRoom() throws(SystemErrno) -> Bool {
    guard let oldest = log.oldestSegment, oldest.upperBound <= settledNow else { return false }
    if log.watermark.next < oldest.upperBound { try save() }
    log.removeOldest()
    return true
  }

  func read(most: Int) throws(SystemErrno) -> SpoolItem {
    var batch: SendBatch?
    while batch.map({ $0.readings.count < most }) ?? true {
      let more = try takeRest()
      switch more {
      case .end: return batch.map { .batch($0) } ?? .end
      case .lost(let count):
        if let batch {
          lostCount = count
          return .batch(batch)
        }
        readNext += UInt64(count)
        return more
      case .batch(let read):
        let room = most - (batch?.readings.count ?? 0)
        let middle = read.first + UInt64(min(room, read.readings.count))
        if read.readings.count > room { rest = read[middle..<read.numbers.upperBound] }
        let part = read[read.first..<middle]
        if batch == nil { batch = part } else { batch?.append(part) }
        readNext = part.numbers.upperBound
      }
    }
    return batch.map { .batch($0) } ?? .end
  }

  /// A loss that was found behind readings, and is returned next.
  private var lostCount = 0

  private func takeRest() throws(SystemErrno) -> SpoolItem {
    if lostCount > 0 {
      defer { lostCount = 0 }
      return .lost(lostCount)
    }
    if let rest {
      self.rest = nil
      return .batch(rest)
    }
    switch try reader.next() {
    case .readings(let first, let readings):
      return .batch(SendBatch(first: first, readings: readings, ordinals: reader.ordinals))
    case .lost(let numbers): return .lost(numbers.count)
    case .end: return .end
    }
  }

  func settle(_ number: UInt64) { settledNow = max(settledNow, number) }

  func save() throws(SystemErrno) {
    if isDirty {
      try log.sync()
      isDirty = false
    }
    if settledNow > log.watermark.next { try log.advance(LogWatermark(next: settledNow), keeps: true) }
  }

  var endOfOldest: UInt64? { log.oldestSegment?.upperBound }

  func giveUp() throws(SystemErrno) -> [SendBatch] {
    guard let oldest = log.oldestSegment else { return [] }
    var given: [SendBatch] = []
    while readNext < oldest.upperBound {
      let item = try read(most: Int(oldest.upperBound - readNext))
      switch item {
      case .batch(let batch): given.append(batch)
      // What is lost is given up, too.
      case .lost(let count): given.append(SendBatch(first: readNext - UInt64(count), readings: []))
      case .end: return given
      }
    }
    return given
  }

  func describe(_ streams: [StreamDescription]) {
    // The next segment has the description. An error comes again with the next append.
    try? log.describe(Self.description(of: streams))
  }

  func close() {
    try? save()
    reader.close()
    log.close()
  }

  /// The streams as the log keeps them: a document of metadata.
  static func description(of streams: [StreamDescription]) -> [UInt8] {
    var document = MetadataDocument()
    document.format = "spill"
    document.streams = streams.map { .init($0) }
    document.values = .init(.raw)
    return Array(document.text.utf8)
  }
}
