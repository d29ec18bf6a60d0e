import DequeModule
import SluiceLog
import SluiceReadings
import SluiceSystem

/// A spool in memory, for an output without a folder. What waits in it ends with the process.
final class MemorySpool: SendSpool {
  private var batches: Deque<SendBatch> = []
  private var readCount = 0
  private let limit: Int
  private var waiting = 0
  private(set) var next: UInt64 = 0
  let folder: String? = nil
  let settled: UInt64 = 0
  let isLasting = false

  /// The readings that may wait.
  static let most = 65_536

  init(most: Int = MemorySpool.most) { limit = most }

  var byteCount: Int64 { Int64(waiting * MemoryLayout<Reading>.stride) }

  func append(_ readings: [Reading], _ ordinals: ReadingOrdinals) throws {
    guard waiting == 0 || waiting + readings.count <= limit else { throw SpoolFull() }
    batches.append(SendBatch(first: next, readings: readings, ordinals: ordinals))
    next += UInt64(readings.count)
    waiting += readings.count
  }

  func read(most: Int) -> SpoolItem {
    guard readCount < batches.count else { return .end }
    var batch = batches[readCount]
    guard batch.readings.count <= most else {
      let middle = batch.first + UInt64(most)
      batches[readCount] = batch[batch.first..<middle]
      batches.insert(batch[middle..<batch.numbers.upperBound], at: readCount + 1)
      readCount += 1
      return .batch(batches[readCount - 1])
    }
    readCount += 1
    while readCount < batches.count, batch.readings.count + batches[readCount].readings.count <= most {
      batch.append(batches[readCount])
      readCount += 1
    }
    return .batch(batch)
  }

  func settle(_ number: UInt64) {
    while let first = batches.first, readCount > 0, first.numbers.upperBound <= number {
      waiting -= first.readings.count
      batches.removeFirst()
      readCount -= 1
    }
  }

  func save() {}
  func leaveOut() -> Bool { false }
  func giveUp(_ isNeeded: (Range<UInt64>) -> Bool, _ given: (SpoolItem) -> Void) -> Range<UInt64>? { nil }
  func describe(_ streams: [StreamDescription]) {}
  func close() {}
}
