import DequeModule
import SluiceLog
import SluiceReadings
import SluiceSystem

/// A spool in memory, for an output without a folder. What waits in it ends with the process.
///
/// What was not read is encoded, because a reading takes ten times the bytes otherwise.
final class MemorySpool: SendSpool {
  private struct Run {
    let first: UInt64
    let ordinals: ReadingOrdinals
    let bytes: [UInt8]
  }

  private var runs: Deque<Run> = []
  /// What is left of a run that was decoded.
  private var rest: SendBatch?
  private let limit: Int
  /// The readings before this number are settled.
  private var settledNow: UInt64 = 0
  private(set) var next: UInt64 = 0
  let folder: String? = nil
  let settled: UInt64 = 0
  let isLasting = false
  let run = UInt64.random(in: 1 ... .max)

  /// The readings that may wait.
  static let most = 65_536

  init(most: Int = MemorySpool.most) { limit = most }

  private var waiting: Int { Int(next - settledNow) }

  var byteCount: Int64 { Int64(waiting * MemoryLayout<Reading>.stride) }

  func append(_ readings: [Reading], _ ordinals: ReadingOrdinals) throws {
    guard waiting == 0 || waiting + readings.count <= limit else { throw SpoolFull() }
    guard !readings.isEmpty else { return }
    var encoder = ReadingEncoder()
    encoder.append(readings)
    runs.append(Run(first: next, ordinals: ordinals, bytes: encoder.take()))
    next += UInt64(readings.count)
  }

  func read(most: Int, before: UInt64) -> SpoolItem {
    var batch: SendBatch?
    while batch.map({ $0.readings.count < most }) ?? true {
      guard let read = takeRest() else { break }
      let room = most - (batch?.readings.count ?? 0)
      let middle = read.first + UInt64(min(room, read.readings.count))
      if read.readings.count > room { rest = read[middle..<read.numbers.upperBound] }
      let part = read[read.first..<middle]
      if batch == nil { batch = part } else { batch?.append(part) }
    }
    return batch.map { .batch($0) } ?? .end
  }

  private func takeRest() -> SendBatch? {
    if let rest {
      self.rest = nil
      return rest
    }
    guard let run = runs.popFirst() else { return nil }
    // What was encoded here can be decoded.
    let readings = (try? ReadingDecoder.readings(run.bytes)) ?? []
    return SendBatch(first: run.first, readings: readings, ordinals: run.ordinals, run: self.run)
  }

  // Its readings are sent in their order.
  func skip(to number: UInt64) {}
  func settle(_ number: UInt64) { settledNow = max(settledNow, number) }
  func save() {}
  func leaveOut() -> Bool { false }
  func giveUp(
    _ isNeeded: (Range<UInt64>) -> Bool, counted: [Range<UInt64>], _ given: (SpoolItem, _ first: UInt64) -> Void
  ) -> Range<UInt64>? { nil }
  func describe(_ streams: [StreamDescription]) {}
  func close() {}
}
