import SluiceLog
import SluiceReadings
import SluiceSystem

/// Some readings of a log, which are sent again. Nothing in the log changes.
final class RangeSpool: SendSpool {
  private var reader: LogReader
  let settled: UInt64
  let next: UInt64
  let isLasting = true
  let run: UInt64 = 0
  let folder: String?
  private var rest: SendBatch?

  init(_ log: SegmentLog, _ numbers: Range<UInt64>) {
    (settled, next) = (numbers.lowerBound, numbers.upperBound)
    folder = log.folder
    reader = log.reader(from: numbers.lowerBound)
  }

  var byteCount: Int64 { 0 }
  func append(_ readings: [Reading], _ ordinals: ReadingOrdinals) throws { throw SpoolFull() }

  func read(most: Int, before: UInt64) throws(SystemErrno) -> SpoolItem {
    var batch: SendBatch
    if let rest {
      batch = rest
      self.rest = nil
    } else {
      switch try reader.next() {
      case .readings(let first, let readings):
        guard first < next else { return .end }
        batch = SendBatch(first: first, readings: readings, ordinals: reader.ordinals, run: reader.run)
      case .lost(let numbers):
        return numbers.lowerBound < next ? .lost(Int(min(next, numbers.upperBound) - numbers.lowerBound)) : .end
      case .end: return .end
      }
    }
    if batch.numbers.upperBound > next { batch = batch[batch.first..<next] }
    if batch.readings.count > most {
      let middle = batch.first + UInt64(most)
      rest = batch[middle..<batch.numbers.upperBound]
      batch = batch[batch.first..<middle]
    }
    return .batch(batch)
  }

  // Nothing is appended to it, so nothing is fresh.
  func skip(to number: UInt64) {}
  func settle(_ number: UInt64) {}
  func save() {}
  func leaveOut() -> Bool { reader.leaveOut() }
  func giveUp(
    _ isNeeded: (Range<UInt64>) -> Bool, counted: [Range<UInt64>], _ given: (SpoolItem, _ first: UInt64) -> Void
  ) -> Range<UInt64>? { nil }
  func describe(_ streams: [StreamDescription]) {}
  func close() { reader.close() }
}
