import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// A spool on the disk: a log of readings. What is acknowledged stays as a ring while there is room.
final class DiskSpool: SendSpool {
  let log: SegmentLog
  private let limit: Int64
  private var reader: LogReader
  /// What was read of the log, and not returned.
  private var waiting: [SpoolItem] = []
  /// The parts behind `readNext` that were given up, in their order.
  private var gone: [Range<UInt64>] = []
  private var isDirty = false
  /// The number behind the last reading that was read or given up.
  private var readNext: UInt64
  let settled: UInt64
  private var settledNow: UInt64
  let isLasting = true

  /// The times of all readings that it had; nil if nobody needs them.
  private var times: SpoolTimes?
  private var segment: UInt64

  init(_ log: SegmentLog, limit: Int64, times: SpoolTimes? = nil) {
    (self.log, self.limit, self.times, segment) = (log, limit, times, log.firstOfLastSegment)
    reader = log.reader()
    (settled, settledNow, readNext) = (log.watermark.next, log.watermark.next, log.watermark.next)
  }

  var folder: String? { log.folder }
  var run: UInt64 { log.run }
  var next: UInt64 { log.next }
  var byteCount: Int64 { log.byteCount }

  func append(_ readings: [Reading], _ ordinals: ReadingOrdinals) throws {
    while log.byteCount >= limit {
      guard try makeRoom() else { throw SpoolFull() }
    }
    while true {
      do throws(SystemErrno) {
        // Otherwise a run that is killed before the first acknowledgement would find no watermark.
        if !log.hadWatermark { try log.advance(LogWatermark(next: settledNow), keeps: true) }
        try log.append(readings, ordinals)
        isDirty = true
        noteTimes(readings)
        return
      } catch {
        guard Self.isOfFullDisk(error), try makeRoom() else { throw error }
      }
    }
  }

  private func noteTimes(_ readings: [Reading]) {
    times?.note(readings)
    guard segment != log.firstOfLastSegment else { return }
    segment = log.firstOfLastSegment
    // What is in the new segment is not synced yet.
    times?.write(segment)
  }

  private static func isOfFullDisk(_ error: SystemErrno) -> Bool {
    SystemErrno.ofFullDisk.contains(error.code)
  }

  /// Removes the oldest segment of the ring.
  private func makeRoom() throws(SystemErrno) -> Bool {
    guard let oldest = log.oldestSegment else {
      // The last run may have had a larger limit. Then the only segment may be larger than the limit of this run.
      guard log.segmentCount == 1, log.firstOfLastSegment < log.next, settledNow >= log.next else { return false }
      try log.advance(LogWatermark(next: log.next))
      return true
    }
    guard oldest.upperBound <= settledNow else { return false }
    if log.watermark.next < oldest.upperBound {
      do throws(SystemErrno) { try save() } catch {
        // A full disk may have no room for the watermark, before the segment has gone.
        guard Self.isOfFullDisk(error) else { throw error }
      }
    }
    log.removeOldest()
    return true
  }

  func read(most: Int, before: UInt64) throws(SystemErrno) -> SpoolItem {
    var batch: SendBatch?
    while readNext < before, batch.map({ $0.readings.count < most }) ?? true {
      let more: SpoolItem
      do throws(SystemErrno) { more = try takeRest() } catch {
        // What was read is sent first. The error comes again with the next call, if it lasts.
        guard let batch else { throw error }
        return .batch(batch)
      }
      switch more {
      case .end: return batch.map { .batch($0) } ?? .end
      case .lost(let count), .gone(let count):
        if let batch {
          waiting.insert(more, at: 0)
          return .batch(batch)
        }
        // What is skipped may be damaged too, but was sent from memory.
        let own = Int(min(UInt64(count), before - readNext))
        readNext += UInt64(own)
        gone.removeAll { $0.upperBound <= readNext }
        // The rest of the gap comes with a later call, unless it is skipped.
        if case .gone = more {
          if own < count { waiting.insert(.gone(count - own), at: 0) }
          return .gone(own)
        }
        if own < count { waiting.insert(.lost(count - own), at: 0) }
        return .lost(own)
      case .batch(let read):
        if let batch, batch.run != read.run {
          waiting.insert(more, at: 0)
          return .batch(batch)
        }
        let room = min(most - (batch?.readings.count ?? 0), Int(clamping: before - read.first))
        let middle = read.first + UInt64(min(room, read.readings.count))
        if read.readings.count > room { waiting.insert(.batch(read[middle..<read.numbers.upperBound]), at: 0) }
        let part = read[read.first..<middle]
        if batch == nil { batch = part } else { batch?.append(part) }
        readNext = part.numbers.upperBound
      }
    }
    return batch.map { .batch($0) } ?? .end
  }

  private func takeRest() throws(SystemErrno) -> SpoolItem {
    if !waiting.isEmpty { return waiting.removeFirst() }
    switch try reader.next() {
    case .readings(let first, let readings):
      return .batch(SendBatch(first: first, readings: readings, ordinals: reader.ordinals, run: reader.run))
    case .lost(let numbers):
      waiting = parts(of: numbers)
      return waiting.removeFirst()
    case .end: return .end
    }
  }

  /// What of a gap was given up, and what is damaged.
  private func parts(of gap: Range<UInt64>) -> [SpoolItem] {
    Self.parts(of: gap, without: gone).map { $0.isGone ? .gone($0.numbers.count) : .lost($0.numbers.count) }
  }

  private static func parts(
    of numbers: Range<UInt64>, without gone: [Range<UInt64>]
  ) -> [(numbers: Range<UInt64>, isGone: Bool)] {
    var parts: [(numbers: Range<UInt64>, isGone: Bool)] = []
    var number = numbers.lowerBound
    for range in gone where range.overlaps(numbers) {
      if range.lowerBound > number { parts.append((number..<range.lowerBound, false)) }
      let end = min(range.upperBound, numbers.upperBound)
      parts.append((max(number, range.lowerBound)..<end, true))
      number = end
    }
    if number < numbers.upperBound { parts.append((number..<numbers.upperBound, false)) }
    return parts
  }

  func leaveOut() -> Bool { reader.leaveOut() }

  func skip(to number: UInt64) {
    readNext = number
    readAgain(from: number)
    gone.removeAll { $0.upperBound <= number }
  }

  func settle(_ number: UInt64) { settledNow = max(settledNow, number) }

  func save() throws(SystemErrno) {
    if isDirty {
      try log.sync()
      isDirty = false
    }
    if settledNow > log.watermark.next { try log.advance(LogWatermark(next: settledNow), keeps: true) }
  }

  func giveUp(
    _ isNeeded: (Range<UInt64>) -> Bool, counted: [Range<UInt64>], _ given: (SpoolItem, _ first: UInt64) -> Void
  ) -> Range<UInt64>? {
    guard let part = log.endedSegments.first(where: { $0.upperBound > settledNow && !isNeeded($0) }) else { return nil }
    var number = max(part.lowerBound, readNext)
    // Later segments may have been given up earlier. Their readings are counted already.
    let known = (gone + counted).sorted { $0.lowerBound < $1.lowerBound }
    func givenLost(_ numbers: Range<UInt64>) {
      for lost in Self.parts(of: numbers, without: known) where !lost.isGone {
        given(.lost(lost.numbers.count), lost.numbers.lowerBound)
      }
    }
    var reader = log.reader(from: number)
    while number < part.upperBound {
      let item = (try? reader.next()) ?? .end
      if case .lost = item { continue }
      guard case .readings(let first, let readings) = item, first < part.upperBound else { break }
      givenLost(number..<first)
      let batch = SendBatch(first: first, readings: readings)
      for own in Self.parts(of: batch.numbers, without: counted) where !own.isGone {
        given(.batch(batch[own.numbers]), own.numbers.lowerBound)
      }
      number = batch.numbers.upperBound
    }
    reader.close()
    if number < part.upperBound { givenLost(number..<part.upperBound) }
    let isUnread = readNext < part.lowerBound
    if isUnread {
      gone.removeAll { part.contains($0.lowerBound) }
      gone.insert(part, at: gone.firstIndex { $0.lowerBound > part.lowerBound } ?? gone.endIndex)
      // The reader may have opened this segment, or have found that it cannot be read.
      readAgain(from: readNext)
    } else if readNext < part.upperBound {
      readNext = part.upperBound
      readAgain(from: readNext)
      gone.removeAll { $0.upperBound <= readNext }
    }
    // The oldest goes as soon as its readings are settled, after the watermark. Before it may be a gap that was not read.
    if part.lowerBound != log.oldest || isUnread { log.remove(part) }
    return part
  }

  private func readAgain(from number: UInt64) {
    reader.close()
    reader = log.reader(from: number)
    waiting = []
  }

  func describe(_ streams: [StreamDescription]) {
    // The next segment has the description. An error comes again with the next append.
    try? log.describe(Self.description(of: streams))
    times?.describe(streams)
  }

  func close() {
    try? save()
    times?.write(log.next)
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
