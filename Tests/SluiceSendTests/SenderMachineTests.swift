import SluiceReadings
import TestDisk
import XCTest

@testable import SluiceSend

private let second: Int64 = 1_000_000_000
private let broken = SluiceError(.busy, "send to", "http://h/write", because: "it is broken")

final class SenderMachineTests: XCTestCase {
  private func machine(
    _ numbers: Range<UInt64> = 0..<0, syncs: Bool = false, window: Int = 1, most: Int = 10
  ) -> SenderMachine {
    SenderMachine(numbers, syncs: syncs, window: window, most: most, patience: (2 * second, 5 * second), seed: 1)
  }

  /// Fetches until something else is to be done.
  private func step(_ machine: inout SenderMachine, at now: Int64 = 0) -> SenderMachine.Step {
    while true {
      let step = machine.next(at: now)
      if case .skip(let number) = step {
        XCTAssertEqual(number, machine.fetched)
        continue
      }
      guard case .fetch(let most, let before) = step else { return step }
      XCTAssertGreaterThan(before, machine.fetched)
      XCTAssertLessThanOrEqual(before, machine.available)
      let left = Int(min(before, machine.available) - machine.fetched)
      if left == 0 { machine.foundEnd() } else { machine.fetched(min(most, left), at: now) }
    }
  }

  func testABatchIsAcknowledgedOnce() {
    var machine = machine()
    XCTAssertEqual(step(&machine), .rest)
    machine.appended(4, at: 0)
    XCTAssertEqual(step(&machine), .send(0..<4, isRepeated: false))
    XCTAssertEqual(step(&machine), .rest)
    XCTAssertEqual(machine.answered(0, .acknowledged(), at: 1), [.acknowledged(0..<4, leftOut: [])])
    XCTAssertEqual(machine.answered(0, .acknowledged(), at: 1), [])
    XCTAssertEqual(machine.settled, 4)
  }

  func testWhatWaitsComesFirst() {
    var machine = machine(7..<20)
    machine.appended(3, at: 0)
    XCTAssertEqual(step(&machine), .send(7..<17, isRepeated: false))
    _ = machine.answered(7, .acknowledged(), at: 0)
    XCTAssertEqual(step(&machine), .send(17..<23, isRepeated: false))
  }

  func testAPauseEndsNothing() {
    var machine = machine()
    machine.appended(4, at: 0)
    _ = step(&machine)
    XCTAssertEqual(machine.answered(0, .wait(broken), at: 0), [.away(broken, nanoseconds: 0)])
    guard case .sleep(let until) = step(&machine) else { return XCTFail("it does not sleep") }
    XCTAssertTrue((second / 2...second).contains(until))
    XCTAssertEqual(machine.reason, broken)
    XCTAssertEqual(step(&machine, at: until), .send(0..<4, isRepeated: true))
    XCTAssertEqual(
      machine.answered(0, .acknowledged(), at: until),
      [.back(nanoseconds: until), .acknowledged(0..<4, leftOut: [])])
    XCTAssertNil(machine.reason)
  }

  /// A transport with a window answers each batch under way when its connection is lost.
  func testAnOutageHasOnePause() {
    var machine = machine(0..<40, window: 4)
    for first in stride(from: 0 as UInt64, to: 40, by: 10) {
      // The pace of a backlog is another matter.
      XCTAssertEqual(step(&machine, at: Int64(first) * 1_000_000), .send(first..<first + 10, isRepeated: false))
    }
    for first in stride(from: 0 as UInt64, to: 40, by: 10) { _ = machine.answered(first, .wait(broken), at: second) }
    guard case .sleep(let until) = step(&machine, at: second) else { return XCTFail("it does not sleep") }
    XCTAssertTrue((second / 2...second).contains(until - second), "\(until)")
    _ = step(&machine, at: until)
    _ = machine.answered(0, .wait(broken), at: until)
    guard case .sleep(let next) = step(&machine, at: until) else { return XCTFail("it does not sleep") }
    XCTAssertTrue((second...2 * second).contains(next - until), "\(next - until)")
  }

  /// Otherwise all that comes would be kept in memory behind a batch that must wait.
  func testNoMoreIsFetchedThanAWindowHolds() {
    var machine = machine(0..<1_000, window: 4)
    var now: Int64 = 0
    for _ in 0..<300 {
      switch step(&machine, at: now) {
      case .send(let numbers, _):
        _ = machine.answered(
          numbers.lowerBound, numbers.lowerBound == 0 ? .wait(broken) : .acknowledged(), at: now)
      case .sleep(let until): now = until
      default: break
      }
      XCTAssertLessThanOrEqual(machine.fetched - machine.settled, 40)
    }
    XCTAssertEqual(machine.settled, 0)
  }

  func testTheServerSaysHowLong() {
    var machine = machine()
    machine.appended(4, at: 0)
    _ = step(&machine)
    _ = machine.answered(0, .wait(broken, atLeast: 90 * second), at: 0)
    guard case .sleep(let until) = step(&machine) else { return XCTFail("it does not sleep") }
    XCTAssertTrue((90 * second...99 * second).contains(until))
  }

  func testARefusedReadingCostsOnlyItself() {
    var machine = machine(most: 16)
    machine.appended(16, at: 0)
    var (acknowledged, refused, requests): (Set<UInt64>, [UInt64], Int) = ([], [], 0)
    while case .send(let numbers, _) = step(&machine) {
      requests += 1
      let answer: SendAnswer = numbers.contains(11) ? .refused(broken) : .acknowledged()
      for outcome in machine.answered(numbers.lowerBound, answer, at: 0) {
        switch outcome {
        case .acknowledged(let numbers, _): acknowledged.formUnion(numbers)
        case .refused(let number, _): refused.append(number)
        case .away, .back: XCTFail("nothing is away")
        }
      }
    }
    XCTAssertEqual(refused, [11])
    XCTAssertEqual(acknowledged, Set(0..<16).subtracting([11]))
    XCTAssertEqual(requests, 9)
    XCTAssertEqual(machine.settled, 16)
  }

  /// A server that refuses everything, as one does whose database has another name: nothing is given up, and few requests
  /// are made.
  func testARequestThatIsRefusedAsAWholeWaits() {
    for most in [1, 2, 3, 16, 5_000] {
      var machine = machine(most: most)
      machine.appended(20_000, at: 0)
      var (now, requests, isTaking, acknowledged): (Int64, [Int], Bool, Int) = (0, [0], false, 0)
      while acknowledged < 20_000, requests.count < 30_000 {
        switch step(&machine, at: now) {
        case .send(let numbers, _):
          requests[requests.count - 1] += 1
          for outcome in machine.answered(numbers.lowerBound, isTaking ? .acknowledged() : .refused(broken), at: now) {
            switch outcome {
            case .acknowledged(let numbers, _): acknowledged += numbers.count
            case .refused: XCTFail("\(most): a reading is given up")
            case .away(let error, _): XCTAssertEqual(error, broken)
            case .back: break
            }
          }
        case .sleep(let until):
          now = until
          requests.append(0)
          isTaking = requests.count > 20
        default: return XCTFail("it rests")
        }
      }
      XCTAssertEqual(acknowledged, 20_000)
      XCTAssertLessThanOrEqual(requests[0], 17, "\(most)")
      XCTAssertLessThanOrEqual(requests[1...18].max() ?? 0, 5, "\(most): \(requests.prefix(20))")
      XCTAssertGreaterThan(now, 200 * second)
    }
  }

  /// It refuses everything in the middle of a search: a handful of readings is given up, and the rest waits.
  func testAServerThatBeginsToRefuseEverything() {
    var machine = machine(most: 64)
    machine.appended(640, at: 0)
    var (now, refused, acknowledged, requests): (Int64, Int, Set<UInt64>, Int) = (0, 0, [], 0)
    while acknowledged.count + refused < 640, requests < 10_000 {
      switch step(&machine, at: now) {
      case .send(let numbers, _):
        requests += 1
        let isRefusing = (10..<300).contains(requests) || numbers.contains(5)
        for outcome in machine.answered(numbers.lowerBound, isRefusing ? .refused(broken) : .acknowledged(), at: now) {
          if case .acknowledged(let numbers, _) = outcome { acknowledged.formUnion(numbers) }
          if case .refused = outcome { refused += 1 }
        }
      case .sleep(let until): now = until
      default: return XCTFail("it rests")
      }
    }
    XCTAssertEqual(acknowledged.count + refused, 640)
    XCTAssertLessThanOrEqual(refused, 1 + SenderMachine.mostAlone)
  }

  /// Half of all readings are refused: the others arrive, and the search pauses again and again.
  func testASearchIsSlow() {
    var machine = machine(most: 512)
    machine.appended(2_048, at: 0)
    var (now, refused, acknowledged, requests): (Int64, Set<UInt64>, Set<UInt64>, Int) = (0, [], [], 0)
    while acknowledged.count + refused.count < 2_048, requests < 20_000 {
      switch step(&machine, at: now) {
      case .send(let numbers, _):
        requests += 1
        let isRefused = numbers.contains { $0 % 2 == 1 }
        for outcome in machine.answered(numbers.lowerBound, isRefused ? .refused(broken) : .acknowledged(), at: now) {
          if case .acknowledged(let numbers, _) = outcome { acknowledged.formUnion(numbers) }
          if case .refused(let number, _) = outcome { refused.insert(number) }
        }
      case .sleep(let until): now = until
      default: return XCTFail("it rests")
      }
    }
    XCTAssertEqual(refused, Set((0..<2_048).filter { $0 % 2 == 1 }))
    XCTAssertGreaterThan(now, 10 * second)
  }

  func testTheLastReadingOfAllMayBeRefused() {
    var machine = machine(most: 4)
    machine.appended(4, at: 0)
    _ = step(&machine)
    _ = machine.answered(0, .acknowledged(), at: 0)
    machine.appended(1, at: 0)
    XCTAssertEqual(step(&machine), .send(4..<5, isRepeated: false))
    XCTAssertEqual(machine.answered(4, .refused(broken), at: 0), [.refused(4, broken)])
  }

  func testASpoolThatCannotBeReadIsTriedAgain() {
    var machine = machine(0..<4)
    XCTAssertEqual(machine.next(at: 0), .fetch(most: 10, before: 4))
    machine.readFailed(at: 0)
    guard case .sleep(let until) = machine.next(at: 0) else { return XCTFail("it does not sleep") }
    XCTAssertTrue((second / 2...second).contains(until))
    XCTAssertEqual(machine.next(at: until), .fetch(most: 10, before: 4))
    machine.fetched(4, at: until)
    XCTAssertEqual(machine.failedReads, 0)
    XCTAssertEqual(machine.next(at: until), .send(0..<4, isRepeated: false))
  }

  func testBatchesGrowAgain() {
    var sizes = BatchSizes(most: 100)
    sizes.tooLarge(100)
    XCTAssertEqual(sizes.most, 50)
    for _ in 0..<BatchSizes.leastPatience { sizes.taken(50) }
    XCTAssertEqual(sizes.most, 100)
    sizes.tooLarge(100)
    for _ in 0..<BatchSizes.leastPatience { sizes.taken(50) }
    XCTAssertEqual(sizes.most, 50)
    for _ in 0..<BatchSizes.leastPatience { sizes.taken(50) }
    XCTAssertEqual(sizes.most, 100)
  }

  func testABatchThatIsTooLargeMakesLaterOnesSmaller() {
    var machine = machine(most: 16)
    machine.appended(48, at: 0)
    XCTAssertEqual(step(&machine), .send(0..<16, isRepeated: false))
    _ = machine.answered(0, .tooLarge(broken), at: 0)
    XCTAssertEqual(step(&machine), .send(0..<8, isRepeated: true))
    _ = machine.answered(0, .acknowledged(), at: 0)
    _ = step(&machine)
    _ = machine.answered(8, .acknowledged(), at: 0)
    XCTAssertEqual(step(&machine, at: second), .send(16..<24, isRepeated: false))
  }

  func testTheWindowIsKeptAndSettledInOrder() {
    var machine = machine(window: 3, most: 2)
    machine.appended(20, at: 0)
    let now = second
    XCTAssertEqual(step(&machine, at: now), .send(0..<2, isRepeated: false))
    XCTAssertEqual(step(&machine, at: 2 * now), .send(2..<4, isRepeated: false))
    XCTAssertEqual(step(&machine, at: 3 * now), .send(4..<6, isRepeated: false))
    XCTAssertEqual(step(&machine, at: 4 * now), .rest)
    _ = machine.answered(2, .acknowledged(), at: 4 * now)
    XCTAssertEqual(machine.settled, 0)
    _ = machine.answered(0, .acknowledged(), at: 4 * now)
    XCTAssertEqual(machine.settled, 4)
  }

  func testTheEndWaitsForAnswersButNotForEver() {
    var machine = machine()
    machine.appended(4, at: 0)
    _ = step(&machine)
    machine.end(at: 0)
    XCTAssertEqual(step(&machine, at: second), .sleep(until: 2 * second))
    XCTAssertEqual(step(&machine, at: 2 * second), .end)
    XCTAssertTrue(machine.isOver)
  }

  func testTheEndComesAtOnceIfNothingWaits() {
    var machine = machine()
    machine.appended(4, at: 0)
    _ = step(&machine)
    machine.end(at: 0)
    _ = machine.answered(0, .acknowledged(), at: 1)
    XCTAssertEqual(step(&machine, at: 1), .end)
  }

  func testWhatIsGivenUpIsNotSent() {
    var machine = machine(most: 4)
    machine.appended(12, at: 0)
    _ = step(&machine)
    _ = machine.answered(0, .wait(broken), at: 0)
    machine.lost(4)
    XCTAssertEqual(machine.giveUp(0..<8), [0..<4])
    XCTAssertEqual(machine.settled, 8)
    XCTAssertEqual(step(&machine, at: 2 * second), .send(8..<12, isRepeated: false))
  }

  func testABacklogIsSentInItsPace() {
    var machine = machine(0..<1_000_000, most: 5_000)
    var now: Int64 = 0
    var sent = 0
    while now < second {
      switch step(&machine, at: now) {
      case .send(let numbers, _):
        sent += numbers.count
        _ = machine.answered(numbers.lowerBound, .acknowledged(), at: now)
      case .sleep(let until): now = until
      default: return XCTFail("it rests")
      }
    }
    XCTAssertTrue((95_000...110_000).contains(sent), "\(sent)")
  }

  /// A power cut must not make the spool forget what the server has.
  func testWhatIsNotSyncedIsNotSent() {
    var machine = machine(0..<4, syncs: true)
    machine.appended(3, at: 0)
    XCTAssertEqual(step(&machine), .send(0..<4, isRepeated: false))
    _ = machine.answered(0, .acknowledged(), at: 0)
    XCTAssertEqual(step(&machine), .rest)
    machine.synced(before: 7)
    machine.appended(5, at: 0)
    XCTAssertEqual(step(&machine), .send(4..<7, isRepeated: false))
  }

  /// The same for what goes before a backlog: the beginning of a batch may be sent.
  func testWhatIsFreshAndNotSyncedIsNotSent() {
    var machine = machine(0..<1_000, syncs: true)
    XCTAssertEqual(step(&machine), .send(0..<10, isRepeated: false))
    _ = machine.answered(0, .acknowledged(), at: 0)
    XCTAssertEqual(machine.appendedFresh(2, at: 0), .fresh)
    machine.synced(before: 1_002)
    XCTAssertEqual(machine.appendedFresh(3, at: 0), .joined)
    XCTAssertEqual(step(&machine), .send(1_000..<1_002, isRepeated: false))
    _ = machine.answered(1_000, .acknowledged(), at: 0)
    XCTAssertEqual(step(&machine, at: second), .send(10..<20, isRepeated: false))
    _ = machine.answered(10, .acknowledged(), at: second)
    XCTAssertEqual(step(&machine, at: 2 * second), .send(20..<30, isRepeated: false), "the rest is not synced")
    _ = machine.answered(20, .acknowledged(), at: 2 * second)
    machine.synced(before: 1_005)
    XCTAssertEqual(step(&machine, at: 2 * second), .send(1_002..<1_005, isRepeated: false))
  }

  /// Readings that wait for a sync are no backlog.
  func testWhatWaitsForASyncIsNoBacklog() {
    var machine = machine(0..<1, syncs: true)
    XCTAssertEqual(step(&machine), .send(0..<1, isRepeated: false))
    _ = machine.answered(0, .acknowledged(), at: 0)
    for time in 1...5 {
      for _ in 0..<30 { XCTAssertEqual(machine.appendedFresh(1, at: Int64(time) * second), .waits) }
      machine.synced(before: machine.available)
      XCTAssertEqual(machine.appendedFresh(1, at: Int64(time) * second), .waits)
      var now = Int64(time) * second
      sending: while true {
        switch step(&machine, at: now) {
        case .send(let numbers, _): _ = machine.answered(numbers.lowerBound, .acknowledged(), at: now)
        case .sleep(let until): now = until
        default: break sending
        }
      }
      XCTAssertEqual(machine.available - machine.settled, 1)
    }
  }

  /// What comes while a backlog is sent does not wait behind it.
  func testFreshReadingsAreSentBeforeTheBacklog() {
    var machine = machine(0..<1_000)
    XCTAssertEqual(machine.appendedFresh(3, at: 0), .waits, "nobody knows whether the server takes anything")
    XCTAssertEqual(step(&machine), .send(0..<10, isRepeated: false))
    _ = machine.answered(0, .acknowledged(), at: 0)
    XCTAssertEqual(machine.appendedFresh(4, at: 0), .fresh)
    XCTAssertEqual(step(&machine), .send(1_003..<1_007, isRepeated: false))
    XCTAssertEqual(machine.appendedFresh(1, at: 0), .fresh)
    XCTAssertEqual(machine.appendedFresh(1, at: 0), .joined)
    _ = machine.answered(1_003, .acknowledged(), at: 0)
    XCTAssertEqual(step(&machine), .send(1_007..<1_009, isRepeated: false))
    _ = machine.answered(1_007, .acknowledged(), at: 0)
    XCTAssertEqual(machine.settled, 10, "a crash sends the backlog, and what was fresh again")
    XCTAssertEqual(step(&machine, at: second), .send(10..<20, isRepeated: false))
    _ = machine.answered(10, .wait(broken), at: second)
    XCTAssertEqual(machine.appendedFresh(5, at: second), .waits, "the server is away")
    var (now, sent): (Int64, [Range<UInt64>]) = (second, [])
    while machine.settled < machine.available {
      switch step(&machine, at: now) {
      case .send(let numbers, _):
        sent.append(numbers)
        _ = machine.answered(numbers.lowerBound, .acknowledged(), at: now)
      case .sleep(let until): now = until
      default: return XCTFail("it rests")
      }
    }
    XCTAssertEqual(sent.map(\.lowerBound), sent.map(\.lowerBound).sorted(), "the backlog is in its order")
    XCTAssertEqual(Set(sent.flatMap { $0 }), Set(10..<1_003).union(1_009..<1_014))
  }

  /// Memory is bounded, and what it does not hold waits in the spool.
  func testFreshReadingsAreBounded() {
    var machine = machine(0..<1_000)
    XCTAssertEqual(step(&machine), .send(0..<10, isRepeated: false))
    _ = machine.answered(0, .acknowledged(), at: 0)
    var kept = 0
    for _ in 0..<100 where machine.appendedFresh(3, at: 0) != .waits { kept += 3 }
    XCTAssertEqual(kept, 18)
    var (now, count): (Int64, Int) = (0, 10)
    while machine.settled < machine.available {
      switch step(&machine, at: now) {
      case .send(let numbers, _):
        count += numbers.count
        _ = machine.answered(numbers.lowerBound, .acknowledged(), at: now)
      case .sleep(let until): now = until
      default: return XCTFail("it rests")
      }
    }
    XCTAssertEqual(count, 1_300)
  }

  /// Random answers, random windows: each reading is settled once, as acknowledged or refused, and in the end all are.
  func testEveryReadingIsSettledOnce() {
    var generator = SeededGenerator(11)
    var freshCount = 0
    defer { XCTAssertGreaterThan(freshCount, 5_000) }
    for round in 0..<300 {
      var (synced, syncs): (UInt64, Bool) = (0, round % 3 != 0)
      var machine = machine(
        syncs: syncs, window: Int.random(in: 1...4, using: &generator), most: Int.random(in: 1...40, using: &generator))
      // What is refused last of all waits, because nothing shows that the server takes anything.
      let bad = Set((0..<4).map { _ in UInt64.random(in: 0..<390, using: &generator) })
      var (underWay, now): ([Range<UInt64>], Int64) = ([], 0)
      var settled: [UInt64: Bool] = [:]
      var appended = 0
      var ends = false
      while !machine.isOver {
        if appended < 400, Bool.random(using: &generator) {
          let count = min(400 - appended, Int.random(in: 1...30, using: &generator))
          // A backlog comes at once, and then what may be sent before it.
          if round % 2 == 0 || appended < 200 {
            machine.appended(count, at: now)
          } else if machine.appendedFresh(count, at: now) != .waits {
            freshCount += count
          }
          appended += count
        }
        if appended == 400 { ends = true }
        if syncs, ends || Int.random(in: 0..<4, using: &generator) == 0 {
          synced = UInt64(appended)
          machine.synced(before: synced)
        }
        switch step(&machine, at: now) {
        case .send(let numbers, _):
          if syncs { XCTAssertLessThanOrEqual(numbers.upperBound, synced) }
          underWay.append(numbers)
        case .sleep(let until): if underWay.isEmpty { now = max(now, until) }
        case .rest: if underWay.isEmpty, ends { machine.end(at: now) }
        case .fetch, .skip: XCTFail("it fetches what is there")
        case .end: break
        }
        guard !underWay.isEmpty, Int.random(in: 0..<3, using: &generator) > 0 else { continue }
        let numbers = underWay.remove(at: Int.random(in: 0..<underWay.count, using: &generator))
        let answer: SendAnswer =
          Int.random(in: 0..<4, using: &generator) == 0
          ? .wait(broken) : numbers.contains(where: bad.contains) ? .refused(broken) : .acknowledged()
        for outcome in machine.answered(numbers.lowerBound, answer, at: now) {
          switch outcome {
          case .acknowledged(let numbers, _):
            for number in numbers { XCTAssertNil(settled.updateValue(true, forKey: number), "round \(round)") }
          case .refused(let number, _): XCTAssertNil(settled.updateValue(false, forKey: number), "round \(round)")
          case .away, .back: break
          }
        }
      }
      XCTAssertEqual(machine.settled, 400, "round \(round)")
      XCTAssertEqual(settled.count, 400, "round \(round)")
      XCTAssertEqual(Set(settled.filter { !$0.value }.keys), bad, "round \(round)")
    }
  }
}
