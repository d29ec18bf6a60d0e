import SluiceReadings
import TestDisk
import XCTest

@testable import SluiceRecording

final class OutputMachineTests: XCTestCase {
  /// Ten bytes a reading, of one stream.
  private final class Batch: RecordBatch {
    var left: Int
    let byteCount: Int
    private let count: Int
    private let tooMuch: Int

    init(_ count: Int, leftOut: Int = 0) {
      left = count
      self.count = count
      tooMuch = leftOut
      byteCount = 10 * count
    }

    func write() {}
    func count(into counts: inout [Int]) { counts = [(counts.first ?? 0) + count] }
    var unwritten: [Int: Int] { left > 0 ? [0: left] : [:] }
    var leftOut: [Int: Int] { tooMuch > 0 ? [0: tooMuch] : [:] }
  }

  private let error = SluiceError("write", "a", errno: EIO)

  /// It keeps ten readings.
  private func machine() -> OutputMachine { OutputMachine(streams: 1, capacity: 100) }

  /// Takes readings as the sink does.
  private func take(_ count: Int, _ machine: inout OutputMachine, leftOut: Int = 0) -> Bool {
    machine.counts[0].written += count + leftOut
    return machine.handOver(Batch(count, leftOut: leftOut))
  }

  private func name(_ step: OutputMachine.Step) -> String {
    switch step {
    case .write: "write"
    case .close: "close"
    case .rest: "rest"
    }
  }

  private func counts(_ machine: OutputMachine) -> [Int] {
    [machine.counts[0].written, machine.counts[0].unwritten]
  }

  // MARK: The queue

  func testItIsWokenOnceForAllThatWaits() {
    var machine = machine()
    XCTAssertFalse(machine.wake())
    for _ in 0..<2 { XCTAssertFalse(take(1, &machine)) }
    XCTAssertTrue(machine.wake())
    XCTAssertFalse(machine.wake())
    XCTAssertFalse(take(1, &machine))
    XCTAssertFalse(machine.wake(), "it is awake")
    for _ in 0..<3 {
      XCTAssertEqual(name(machine.next()), "write")
      machine.wrote()
    }
    XCTAssertEqual(machine.bytesInFlight, 0)
    XCTAssertEqual(name(machine.next()), "rest")
    XCTAssertFalse(take(1, &machine))
    XCTAssertTrue(machine.wake())
  }

  func testItClosesAfterTheLastBatch() {
    var machine = machine()
    _ = take(1, &machine)
    XCTAssertTrue(machine.end(), "nobody has woken it")
    XCTAssertFalse(machine.wake(), "the end has")
    XCTAssertFalse(machine.end())
    XCTAssertEqual(name(machine.next()), "write")
    machine.wrote()
    XCTAssertEqual(name(machine.next()), "close")
    XCTAssertEqual(name(machine.next()), "rest")
    XCTAssertFalse(machine.isClosed)
    machine.close()
    XCTAssertTrue(machine.isClosed)
    XCTAssertEqual(name(machine.next()), "rest")
    XCTAssertFalse(machine.end())
  }

  func testTheEndWakesWhatSleepsOnly() {
    var awake = machine()
    _ = take(1, &awake)
    _ = awake.wake()
    XCTAssertFalse(awake.end())
    var asleep = machine()
    XCTAssertTrue(asleep.end())
    XCTAssertEqual(name(asleep.next()), "close")
    var waiting = machine()
    _ = take(1, &waiting)
    _ = waiting.wake()
    _ = waiting.next()
    XCTAssertTrue(waiting.tryAgain())
    XCTAssertFalse(waiting.end(), "its next try closes it")
    XCTAssertEqual(name(waiting.next()), "write")
  }

  // MARK: A disk that is away

  private func away(_ count: Int) -> OutputMachine {
    var machine = machine()
    for _ in 0..<count { _ = take(1, &machine) }
    _ = machine.wake()
    _ = machine.next()
    XCTAssertTrue(machine.tryAgain())
    return machine
  }

  func testABatchThatFailsIsTriedAgainFirst() {
    var machine = machine()
    _ = take(1, &machine)
    _ = machine.wake()
    guard case .write(let first) = machine.next() else { return XCTFail("it has a batch") }
    _ = take(1, &machine)
    XCTAssertTrue(machine.tryAgain())
    XCTAssertTrue(machine.isAway && !machine.isWritable && !machine.isOver)
    XCTAssertEqual(machine.intake, .takes)
    XCTAssertFalse(take(1, &machine))
    XCTAssertFalse(machine.wake(), "it wakes by itself")
    guard case .write(let again) = machine.next() else { return XCTFail("it has a batch") }
    XCTAssertTrue(again === first)
    XCTAssertEqual(machine.bytesInFlight, 30)
    machine.wrote()
    XCTAssertTrue(machine.isWritable)
    XCTAssertEqual(machine.bytesInFlight, 20)
  }

  /// What a full disk has not taken does not count as written for who looks.
  func testWhatWaitsForTheDisk() {
    var machine = machine()
    XCTAssertNil(machine.waiting)
    _ = take(2, &machine)
    XCTAssertNil(machine.waiting, "it is on its way")
    _ = machine.wake()
    let first = machine.next()
    XCTAssertTrue(machine.tryAgain())
    _ = take(3, &machine)
    XCTAssertEqual(machine.waiting, 5)
    // A part of the first was written.
    if case .write(let batch as Batch) = first { batch.left = 1 }
    XCTAssertEqual(machine.waiting, 4)
    // While it is written, nobody knows.
    _ = machine.next()
    XCTAssertEqual(machine.waiting, 5)
    machine.wrote()
    XCTAssertNil(machine.waiting)
    // A write that does not return.
    _ = machine.next()
    _ = take(9, &machine)
    XCTAssertEqual(machine.waiting, 12)
    _ = machine.fail(error)
    XCTAssertNil(machine.waiting)
  }

  func testItDropsUntilHalfIsWritten() {
    var open = machine()
    open.drop()
    XCTAssertEqual(open.intake, .takes, "only if its disk is away")
    var machine = away(11)
    XCTAssertTrue(machine.isOverfull)
    XCTAssertFalse(machine.hasRoom)
    machine.drop()
    XCTAssertEqual(machine.intake, .drops)
    XCTAssertTrue(machine.hasRoom, "nobody waits for it")
    for left in (5...10).reversed() {
      XCTAssertEqual(machine.intake, .drops)
      _ = machine.next()
      machine.wrote()
      XCTAssertEqual(machine.bytesInFlight, 10 * left)
      XCTAssertTrue(machine.isWritable)
    }
    XCTAssertEqual(machine.intake, .takes)
  }

  func testItIsAwayAgainWhileItDrops() {
    var machine = away(11)
    machine.drop()
    _ = machine.next()
    machine.wrote()
    XCTAssertFalse(machine.keep(), "it can write")
    _ = machine.next()
    XCTAssertTrue(machine.tryAgain())
    XCTAssertTrue(machine.isAway)
    XCTAssertEqual(machine.intake, .drops)
    XCTAssertFalse(machine.keep(), "no more than it may")
    XCTAssertTrue(machine.isAway)
    XCTAssertEqual(machine.intake, .takes)
    XCTAssertFalse(machine.keep())
  }

  func testItKeepsAgainAndSaysHowMuchItHas() {
    var machine = away(11)
    machine.drop()
    XCTAssertTrue(machine.keep())
    XCTAssertFalse(machine.hasRoom)
  }

  // MARK: Errors

  func testAnErrorCountsWhatIsNotWritten() {
    var machine = machine()
    for count in [4, 3] { _ = take(count, &machine) }
    _ = machine.wake()
    guard case .write(let batch) = machine.next() else { return XCTFail("it has a batch") }
    (batch as? Batch)?.left = 1
    machine.counts[0].written += 2
    XCTAssertEqual(machine.fail(error, [Batch(2)]), error)
    XCTAssertEqual(counts(machine), [3, 6])
    XCTAssertEqual([machine.bytesInFlight, machine.outgoing.count], [0, 0])
    XCTAssertEqual(machine.failure, error)
    XCTAssertEqual(machine.intake, .refuses)
    XCTAssertTrue(machine.isOver && machine.hasRoom && !machine.isAway && !machine.isWritable)
    XCTAssertNil(machine.fail(SluiceError("close", "a", errno: EIO)), "it is over")
    XCTAssertEqual(machine.failure, error)
    XCTAssertEqual(name(machine.next()), "rest")
    XCTAssertTrue(machine.end())
    XCTAssertEqual(name(machine.next()), "close")
  }

  /// A fault of the store is noticed under the lock of the sink, while the queue writes.
  func testWhatItHasIsWrittenWhenItIsGivenUp() {
    var machine = machine()
    for _ in 0..<2 { _ = take(1, &machine) }
    _ = machine.wake()
    _ = machine.next()
    machine.giveUp(error)
    XCTAssertEqual(machine.intake, .refuses)
    XCTAssertEqual(counts(machine), [2, 0])
    machine.wrote()
    XCTAssertEqual(name(machine.next()), "write")
    XCTAssertTrue(machine.tryAgain())
    XCTAssertTrue(machine.isOver)
    XCTAssertEqual(machine.fail(SluiceError("close", "a", errno: ENOSPC)), error, "the first error")
    XCTAssertEqual(counts(machine), [1, 1])
    machine.giveUp(SluiceError("close", "a", errno: ENOSPC))
    XCTAssertEqual(machine.failure, error)
  }

  func testReadingsThatTheFormatCannotHoldAreNotWritten() {
    var machine = machine()
    _ = take(3, &machine, leftOut: 2)
    _ = machine.wake()
    _ = machine.next()
    machine.wrote()
    XCTAssertEqual(counts(machine), [3, 2])
    _ = take(3, &machine, leftOut: 2)
    _ = machine.fail(error)
    XCTAssertEqual(counts(machine), [3, 7])
  }

  // MARK: Abandoning

  /// Nobody knows what became of the batch that is being written.
  func testNothingCountsAfterItWasAbandoned() {
    var machine = machine()
    machine.counts[0].unwritten = 5
    for _ in 0..<2 { _ = take(2, &machine, leftOut: 1) }
    _ = machine.wake()
    guard case .write(let batch) = machine.next() else { return XCTFail("it has a batch") }
    (batch as? Batch)?.left = 1
    machine.counts[0].written += 1
    machine.abandon(error, [Batch(1)])
    XCTAssertEqual(counts(machine), [0, 12])
    XCTAssertEqual(machine.unwrittenBefore, 5)
    XCTAssertEqual(machine.failure, error)
    machine.wrote()
    XCTAssertEqual(counts(machine), [0, 12])
    XCTAssertNil(machine.fail(SluiceError("write", "a", errno: ENOSPC)))
    XCTAssertFalse(machine.end(), "its queue is awake")
    XCTAssertEqual(name(machine.next()), "close")
    machine.close()
    XCTAssertEqual(machine.unwrittenBefore, 5)
  }

  func testItIsNotTriedAgainWhenItWasAbandoned() {
    var machine = machine()
    _ = take(1, &machine)
    _ = machine.wake()
    _ = machine.next()
    machine.abandon(error, [])
    XCTAssertFalse(machine.tryAgain())
    XCTAssertTrue(machine.outgoing.isEmpty)
    var waiting = away(1)
    waiting.abandon(error, [])
    XCTAssertTrue(waiting.end(), "it can close at once")
    XCTAssertEqual(name(waiting.next()), "close")
    XCTAssertEqual(name(waiting.next()), "rest", "the try that was due")
  }

  // MARK: What is safe

  func testNoMoreIsSafeThanIsWritten() {
    var machine = machine()
    _ = take(5, &machine)
    machine.addSafe([3])
    machine.addSafe([])
    XCTAssertEqual(machine.counts[0].synced, 3)
    machine.addSafe([7])
    XCTAssertEqual(machine.counts[0].synced, 5)
    var abandoned = self.machine()
    _ = take(5, &abandoned)
    abandoned.abandon(error, [])
    abandoned.addSafe([3])
    XCTAssertEqual(abandoned.counts[0].synced, 0)
  }

  func testWhatIsInMemoryOnlyIsLostWhenItIsAbandoned() {
    var machine = machine()
    for _ in 0..<2 { _ = take(5, &machine) }
    _ = machine.wake()
    _ = machine.next()
    machine.wrote()
    machine.addSafe([3])
    machine.abandon(error, [], losesUnsafe: true)
    XCTAssertEqual(machine.counts[0].written, 3)
    XCTAssertEqual(machine.counts[0].synced, 3)
    XCTAssertEqual(machine.counts[0].unwritten, 7)
    XCTAssertEqual(machine.unwrittenBefore, 0)
  }

  // MARK: Any order

  /// The sink, its queue and its disk, in any order. Each reading is in one place, and the queue is never asleep while
  /// something waits.
  func testAnyOrderOfInputs() {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed)
      var model = Model(OutputMachine(streams: 1, capacity: 100))
      var history: [String] = []
      for _ in 0..<60 {
        history.append(model.step(&random))
        if let fault = model.fault { return XCTFail("seed \(seed): \(fault) after \(history)") }
      }
      model.finish(&random)
      XCTAssertEqual(model.closings, 1, "\(history)")
      if let fault = model.fault { return XCTFail("seed \(seed): \(fault) at the end of \(history)") }
    }
  }

  /// What happens to a machine, with a second account of it.
  private struct Model {
    var machine: OutputMachine
    var taken = 0
    /// What was written before it was abandoned.
    var written = 0
    var closings = 0
    /// The jobs that look at the batches.
    var jobs = 0
    var writing: Batch?
    var isEnded = false
    var isGivenUp = false
    var fault: String?
    let error = SluiceError("write", "a", errno: EIO)

    init(_ machine: OutputMachine) { self.machine = machine }

    private var isAbandoned: Bool { machine.isAbandoned }

    mutating func step(_ random: inout SeededGenerator) -> String {
      defer { check() }
      switch Int.random(in: 0..<100, using: &random) {
      case ..<35 where !isEnded:
        let count = Int.random(in: 1...5, using: &random)
        switch machine.intake {
        case .takes:
          taken += count
          machine.counts[0].written += count
          _ = machine.handOver(Batch(count))
        case .drops, .refuses: break
        }
        return "take \(count)"
      case ..<45:
        wake()
        return "wake"
      case ..<80:
        work(&random)
        return "work"
      case ..<84:
        if machine.isAway { machine.drop() }
        return "drop"
      case ..<87:
        _ = machine.keep()
        return "keep"
      case ..<89 where !machine.isOver && !isEnded:
        machine.giveUp(error)
        isGivenUp = true
        return "give up"
      case ..<91 where !machine.isOver && !machine.isClosed:
        machine.abandon(error, [])
        return "abandon"
      case ..<93:
        end()
        return "end"
      default: return ""
      }
    }

    private mutating func end() {
      guard !isEnded else { return }
      isEnded = true
      wake()
      let isAbandoned = isAbandoned
      guard machine.end() else { return }
      // An abandoned output need not wait for its next try.
      if jobs > 0, !isAbandoned { fault = "woken twice" }
      jobs += 1
    }

    private mutating func wake() {
      guard machine.wake() else { return }
      if jobs > 0 { fault = "woken twice" }
      jobs += 1
    }

    /// A step of the queue.
    private mutating func work(_ random: inout SeededGenerator, isGood: Bool = false) {
      if let batch = writing {
        writing = nil
        let before = batch.left
        let end = isGood ? 0 : Int.random(in: 0..<4, using: &random)
        batch.left = end < 2 ? 0 : Int.random(in: 1...before, using: &random)
        if !isAbandoned { written += before - batch.left }
        if end < 2 { return machine.wrote() }
        if end == 2 {
          _ = machine.tryAgain()
        } else {
          _ = machine.fail(error)
        }
        return
      }
      // What was given up is noticed before the next batch.
      if isGivenUp, jobs > 0 {
        isGivenUp = false
        _ = machine.fail(error)
      }
      guard jobs > 0 else { return }
      switch machine.next() {
      case .write(let batch):
        writing = batch as? Batch
        if case .failed = machine.phase { fault = "it has failed, and writes" }
        if isAbandoned { fault = "it was abandoned, and writes" }
      case .close:
        closings += 1
        machine.close()
        jobs -= 1
      case .rest: jobs -= 1
      }
    }

    mutating func finish(_ random: inout SeededGenerator) {
      end()
      for _ in 0..<200 { work(&random, isGood: true) }
      if writing != nil || !machine.outgoing.isEmpty { fault = "batches are left" }
      let counted = machine.counts[0].written
      if !isAbandoned, counted != written { fault = "\(counted) count as written, and \(written) are" }
      check()
    }

    private mutating func check() {
      let counts = machine.counts[0]
      if counts.written + counts.unwritten != taken { fault = "of \(taken) readings there are \(counts)" }
      let waiting = machine.outgoing.reduce(0) { $0 + ($1 as? Batch)!.left }
      let underWay = isAbandoned ? 0 : waiting + (writing?.left ?? 0)
      if counts.written != written + underWay, !isAbandoned {
        fault = "\(counts.written) count as written; \(written) are, and \(underWay) wait"
      }
      let bytes = (machine.outgoing.map(\.byteCount) + (isAbandoned ? [] : [writing?.byteCount ?? 0])).reduce(0, +)
      if machine.bytesInFlight != bytes { fault = "\(machine.bytesInFlight) bytes are not \(bytes)" }
      switch machine.queue {
      case .asleep: if !machine.outgoing.isEmpty { fault = "it sleeps, and batches wait" }
      case .due: if machine.outgoing.isEmpty, !machine.isOver { fault = "it is woken for nothing" }
      case .awake, .waiting, .ending: if jobs == 0 { fault = "nobody looks at its batches" }
      case .closing, .closed: if !machine.outgoing.isEmpty { fault = "it is closed, and batches wait" }
      }
      if machine.isOver != (machine.failure != nil) { fault = "it is over without an error" }
      if machine.isOver, case .takes = machine.intake { fault = "it takes readings, and is over" }
      if closings > 1 { fault = "closed twice" }
    }
  }
}
