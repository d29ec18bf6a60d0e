import Sluice
import SluiceReadings
import TestDisk

@testable import SluiceSend

/// The other end of a sender, in memory: it takes batches, is away, forgets to answer, or refuses readings.
final class ModelEnd: BatchTransport, @unchecked Sendable {
  // One thread at a time uses it.

  /// `never` takes what it gets, and keeps its answers for ``answerAll()``.
  enum Mood: CaseIterable {
    case takes, away, forgets, halves, slow, never

    /// Those that answer sooner or later.
    static let lively: [Mood] = [.takes, .away, .forgets, .halves, .slow]
  }

  struct Point: Hashable {
    var time: Int64
    var ordinal: UInt32
  }

  let window: Int
  let most: Int
  var mood = Mood.takes
  var refuses: Set<Int64> = []
  /// By point, the significands of the readings that came as this point.
  private(set) var points: [Point: Set<Int64>] = [:]
  /// By sequence number, the significands of the readings that came with it.
  private(set) var numbered: [UInt64: Set<Int64>] = [:]
  private(set) var batchCount = 0
  private let queue: VirtualQueues.Queue
  private var isClosed = false
  private var kept: [() -> Void] = []
  /// Whether it breaks the rule that no answer comes after ``close()``.
  var answersLate = false

  init(window: Int, most: Int, _ queue: VirtualQueues.Queue, after other: ModelEnd? = nil) {
    (self.window, self.most, self.queue) = (window, most, queue)
    points = other?.points ?? [:]
    numbered = other?.numbered ?? [:]
  }

  func send(_ batch: SendBatch, _ answered: @escaping @Sendable (SendAnswer) -> Void) {
    batchCount += 1
    let broken = SluiceError(.busy, "send to", "model", because: "it is broken")
    let answer: SendAnswer
    switch mood {
    case .away: answer = .wait(broken)
    case .halves where batch.readings.count > 1: answer = .tooLarge(broken)
    case .takes, .slow, .forgets, .halves, .never:
      let isRefused = batch.readings.contains { refuses.contains($0.values[0].significand) }
      if !isRefused || batch.readings.count > 1 { take(batch) }
      answer = isRefused ? .refused(broken) : mood == .forgets ? .wait(broken) : .acknowledged()
    }
    if mood == .never { return kept.append { answered(answer) } }
    queue.perform(after: mood == .slow ? 700_000_000 : 1_000_000) { [self] in if !isClosed { answered(answer) } }
  }

  /// It may take the readings that it does not refuse.
  private func take(_ batch: SendBatch) {
    for (place, reading) in batch.readings.enumerated() where !refuses.contains(reading.values[0].significand) {
      let ordinal = batch.ordinals.places.first { $0.place == place }?.ordinal ?? 0
      numbered[batch.first + UInt64(place), default: []].insert(reading.values[0].significand)
      points[Point(time: reading.time, ordinal: ordinal), default: []].insert(reading.values[0].significand)
    }
  }

  /// Gives the answers that it has kept.
  func answerAll() {
    guard !isClosed || answersLate else { return }
    for answer in kept { answer() }
    kept = []
  }

  func describe(_ streams: [StreamDescription]) {}
  func close() { isClosed = true }
}
