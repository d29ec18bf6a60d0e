import Sluice
import SluiceLog
import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceRecording
@testable import SluiceSend

/// A sender that is killed, cut off from its power, with a server of any mood, and with a disk that is full or damaged.
final class SpoolModelTests: SpoolTestCase {
  /// What was appended is at the server in the end, each reading as one point, and no two as the same point or under the same
  /// sequence number.
  func testKillsAndPowerCuts() throws {
    var (kills, cuts, repeats) = (0, 0, 0)
    for seed in 0..<70 as Range<UInt64> {
      var generator = SeededGenerator(seed)
      let disk = ModelDisk(seed: seed)
      var (number, time): (Int64, Int64) = (0, 1_000)
      var last: ModelEnd?
      var wasCut = false
      var certain: Set<Int64> = []
      for _ in 0..<5 {
        let (run, _) = try open(disk, settings(), window: Int.random(in: 1...3, using: &generator), after: last)
        last = run.end
        run.sender.start()
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
          if Int.random(in: 0..<4, using: &generator) == 0 {
            run.end.mood = ModelEnd.Mood.lively.randomElement(using: &generator) ?? .takes
          }
          let count = Int64.random(in: 0...60, using: &generator)
          try run.sender.append(readings(number..<number + count, from: time))
          certain.formUnion(number..<number + count)
          number += count
          run.queues.run(for: Int64.random(in: 0...400_000_000, using: &generator))
        }
        repeats += run.sender.counts.repeated.readings
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          run.sender.end()
          run.queues.run(for: 10_000_000_000)
        case 1:
          kills += 1
          disk.kill()
        default:
          cuts += 1
          wasCut = true
          disk.cutPower()
        }
        run.queues.kill()
        // Numbers do not repeat after a cut, so equal times of two runs are those of different readings.
        number += 3_000 - number % 3_000
        // A board without a clock begins again in the past. Only a power cut makes a spool forget what the server has.
        if !wasCut, Bool.random(using: &generator) {
          time -= number / 3 + Int64.random(in: -50...50, using: &generator)
        }
      }
      let (run, _) = try open(disk, settings(), window: 1, after: last)
      run.sender.start()
      run.queues.run(for: 600_000_000_000)
      XCTAssertEqual(run.sender.waiting, 0, "seed \(seed)")
      var seen: Set<Int64> = []
      for (point, numbers) in run.end.points {
        XCTAssertEqual(numbers.count, 1, "seed \(seed): \(point) is \(numbers)")
        for number in numbers {
          XCTAssertTrue(seen.insert(number).inserted, "seed \(seed): \(number) is at two points")
        }
      }
      for (sequence, numbers) in run.end.numbered {
        XCTAssertEqual(numbers.count, 1, "seed \(seed): the sequence number \(sequence) is that of \(numbers)")
      }
      XCTAssertTrue(seen.isSubset(of: certain), "seed \(seed)")
      if !wasCut { XCTAssertEqual(seen, certain, "seed \(seed)") }
    }
    for count in [kills, cuts, repeats] { XCTAssertGreaterThan(count, 50) }
  }

  /// What comes while a backlog is sent is at the server two seconds later at most.
  func testWhatComesDoesNotWaitBehindABacklog() throws {
    for seed in 0..<6 as Range<UInt64> {
      let disk = ModelDisk(seed: seed)
      let (run, _) = try open(disk, settings(), window: 1 + Int(seed % 3), after: nil)
      run.end.mood = .away
      let backlog: Int64 = 12_000
      for number in stride(from: 0, to: backlog, by: 100) {
        try run.sender.append(readings(number..<number + 100, from: 0))
      }
      run.queues.run(for: 1_000_000_000)
      run.end.mood = .slow
      while run.sender.counts.acknowledged.readings == 0 { run.queues.run(for: 100_000_000) }
      func arrived() -> Set<Int64> { Set(run.end.points.values.flatMap { $0 }) }
      var (number, due): (Int64, [(numbers: Range<Int64>, ticks: Int)]) = (backlog, [])
      let before = run.sender.waiting
      for tick in 0..<200 {
        // Two outages.
        if tick == 60 || tick == 120 { run.end.mood = .away }
        if tick == 61 || tick == 121 {
          run.end.mood = .slow
          due = []
        }
        try run.sender.append(readings(number..<number + 2, from: 0))
        let isBehind = ![60...75, 120...135].contains { $0.contains(tick) }
        if isBehind { due.append((number..<number + 2, tick + 8)) }
        number += 2
        run.queues.run(for: 250_000_000)
        let there = arrived()
        for (numbers, at) in due where at == tick {
          XCTAssertTrue(numbers.allSatisfy(there.contains), "seed \(seed), tick \(tick): \(numbers)")
        }
      }
      XCTAssertGreaterThan(run.sender.waiting, 1_000, "it is behind")
      XCTAssertLessThan(run.sender.counts.queued, before - 500, "the backlog waits behind what comes")
      run.queues.run(for: 600_000_000_000)
      XCTAssertEqual(arrived(), Set(0..<number))
      XCTAssertEqual([run.sender.waiting, run.sender.counts.acknowledged.readings], [0, Int(number)])
      XCTAssertEqual(run.heard.withLock { $0.acknowledged }, Int(number))
    }
  }

  func testRefusedReadingsAreCountedAndTheRestArrives() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    run.end.refuses = [17, 90]
    try run.sender.append(readings(0..<100, from: 0))
    run.queues.run(for: 60_000_000_000)
    XCTAssertEqual(run.end.points.values.reduce(0) { $0 + $1.count }, 98)
    let counts = run.sender.counts
    XCTAssertEqual([counts.queued, counts.acknowledged.readings, counts.refused.readings], [0, 98, 2])
    let heard = run.heard.withLock { $0 }
    XCTAssertEqual([heard.acknowledged, heard.lost], [98, 2])
  }

  func testAFullSpoolBlocks() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(size: 1 << 20), window: 1, after: nil)
    run.end.mood = .away
    var number: Int64 = 0
    while number < 10_000_000 {
      do throws(SluiceError) { try run.sender.append(readings(number..<number + 1_000, from: number * 7_919)) } catch {
        XCTAssertEqual(error.errno, ENOSPC)
        break
      }
      number += 1_000
    }
    XCTAssertLessThan(number, 10_000_000)
    run.end.mood = .takes
    run.queues.run(for: 600_000_000_000)
    XCTAssertEqual(run.end.points.count, Int(number))
    // Now the ring gives way.
    XCTAssertNoThrow(try run.sender.append(readings(number..<number + 1_000, from: 0)))
  }

  func testAFullSpoolDropsTheOldest() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(.dropOldest, size: 1 << 20), window: 1, after: nil)
    run.end.mood = .away
    let all: Int64 = 400_000
    for number in stride(from: 0, to: all, by: 1_000) {
      try run.sender.append(readings(number..<number + 1_000, from: number * 7_919))
      run.queues.run(for: 100_000_000)
    }
    run.end.mood = .takes
    run.queues.run(for: 600_000_000_000)
    let counts = run.sender.counts
    XCTAssertGreaterThan(counts.dropped.readings, 0)
    XCTAssertEqual(counts.dropped.readings + counts.acknowledged.readings, Int(all))
    XCTAssertEqual(counts.queued, 0)
    let heard = run.heard.withLock { $0 }
    XCTAssertEqual([heard.acknowledged, heard.dropped], [counts.acknowledged.readings, counts.dropped.readings])
    XCTAssertEqual(run.end.points.count, counts.acknowledged.readings)
    XCTAssertLessThanOrEqual(counts.bytes, 1 << 21)
  }

  /// A server that comes and goes, with a spool that is full again and again: each reading is acknowledged or dropped, once.
  func testAFullSpoolDropsNothingTwice() throws {
    var (dropped, repeated) = (0, 0)
    for seed in 0..<2 as Range<UInt64> {
      var generator = SeededGenerator(seed)
      let disk = ModelDisk(seed: seed)
      let (run, _) = try open(disk, settings(.dropOldest, size: 1 << 20), window: 1 + Int(seed % 3), after: nil)
      var number: Int64 = 0
      for _ in 0..<30 {
        run.end.mood = [.takes, .away, .slow, .away].randomElement(using: &generator) ?? .takes
        let count = Int64([10, 400, 2_000].randomElement(using: &generator) ?? 10)
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
          try run.sender.append(readings(number..<number + count, from: number * 7_919))
          number += count
          run.queues.run(for: Int64.random(in: 0...500_000_000, using: &generator))
        }
      }
      run.end.mood = .takes
      run.queues.run(for: 3_600_000_000_000)
      let (counts, heard) = (run.sender.counts, run.heard.withLock { $0 })
      XCTAssertEqual(counts.queued, 0, "seed \(seed)")
      XCTAssertEqual(counts.dropped.readings + counts.acknowledged.readings, Int(number), "seed \(seed)")
      XCTAssertEqual(
        [heard.acknowledged, heard.dropped, heard.lost], [counts.acknowledged.readings, counts.dropped.readings, 0])
      XCTAssertEqual(run.end.points.values.reduce(0) { $0 + $1.count }, counts.acknowledged.readings, "seed \(seed)")
      XCTAssertLessThanOrEqual(counts.bytes, 1 << 21)
      dropped += counts.dropped.readings
      repeated += counts.repeated.readings
    }
    XCTAssertGreaterThan(dropped, 10_000)
    XCTAssertGreaterThan(repeated, 100)
  }

  func testADiskThatCannotBeReadForAWhileCostsNothing() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    try run.sender.append(readings(0..<1_000, from: 0))
    run.queues.run(for: 0)
    nonisolated(unsafe) var left = 4
    disk.fault = { call, path in
      guard call == "read", path.hasSuffix(".log"), left > 0 else { return nil }
      left -= 1
      return .error(EIO)
    }
    try run.sender.append(readings(1_000..<2_000, from: 0))
    run.queues.run(for: 60_000_000_000)
    XCTAssertEqual(left, 0)
    XCTAssertEqual(run.end.points.values.reduce(0) { $0 + $1.count }, 2_000)
    XCTAssertEqual(run.sender.counts.lost, 0)
    let faults = run.heard.withLock { $0.faults }
    XCTAssertEqual(faults.count, 1)
    XCTAssertTrue(faults.first?.contains("it is tried again") ?? false, "\(faults)")
  }

  /// A sector is gone for good: what was read before it is sent, it is left out after a minute, counted and said, and what is
  /// behind it is sent.
  func testASectorThatCannotBeReadCostsItsReadings() throws {
    for start in [0, 100, 70_000, 100_000] {
      let disk = ModelDisk(seed: 1)
      let (run, _) = try open(disk, settings(size: 1 << 20), window: 1, after: nil)
      run.end.mood = .away
      var number: Int64 = 0
      while disk.paths.count(where: { $0.hasSuffix(".log") }) < 3 {
        try run.sender.append(readings(number..<number + 300, from: number * 7_919))
        number += 300
      }
      disk.unreadable[segment(disk)] = start..<start + 4_096
      run.end.mood = .takes
      run.queues.run(for: 600_000_000_000)
      let counts = run.sender.counts
      XCTAssertGreaterThan(counts.lost, 0)
      XCTAssertGreaterThan(counts.acknowledged.readings, Int(number) / 3)
      XCTAssertEqual(counts.lost + counts.acknowledged.readings, Int(number))
      XCTAssertEqual(counts.queued, 0)
      let heard = run.heard.withLock { $0 }
      XCTAssertEqual([heard.acknowledged, heard.lost], [counts.acknowledged.readings, counts.lost])
      XCTAssertTrue(heard.faults.contains { $0.contains("damaged") }, "\(heard.faults)")
    }
  }

  /// A removed disk does not cost what it has.
  func testADiskThatIsAwayIsNotLeftOut() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(size: 1 << 20), window: 1, after: nil)
    for number in stride(from: 0 as Int64, to: 60_000, by: 300) {
      try run.sender.append(readings(number..<number + 300, from: number * 7_919))
    }
    disk.fault = { call, path in path.hasSuffix(".log") && ["read", "open"].contains(call) ? .error(EIO) : nil }
    run.queues.run(for: 600_000_000_000)
    disk.fault = { _, _ in nil }
    run.queues.run(for: 600_000_000_000)
    XCTAssertEqual(run.end.points.count, 60_000)
    XCTAssertEqual(run.sender.counts.lost, 0)
  }

  func testDamageIsCountedInReadingsAndSaid() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    for number in stride(from: 0 as Int64, to: 1_000, by: 100) {
      try run.sender.append(readings(number..<number + 100, from: 0))
    }
    disk.damage(segment(disk), at: disk.bytes(segment(disk)).count * 55 / 100)
    run.queues.run(for: 60_000_000_000)
    let counts = run.sender.counts
    XCTAssertEqual([counts.lost, counts.acknowledged.readings], [100, 900])
    let heard = run.heard.withLock { $0 }
    XCTAssertEqual([heard.acknowledged, heard.lost], [900, 100])
    XCTAssertTrue(heard.faults.contains { $0.contains("100 readings are damaged") }, "\(heard.faults)")
  }

  /// What an earlier run had left is lost, and no stream of this run has lost anything.
  func testTheLossOfAnEarlierRunIsCountedApart() throws {
    let disk = ModelDisk(seed: 1)
    let (first, _) = try open(disk, settings(), window: 1, after: nil)
    first.end.mood = .away
    try first.sender.append(readings(0..<100, from: 0))
    first.sender.end()
    first.queues.run(for: 60_000_000_000)
    try disk.remove(segment(disk))
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    run.sender.start()
    try run.sender.append(readings(100..<130, from: 1_000))
    run.queues.run(for: 60_000_000_000)
    let counts = run.sender.counts
    XCTAssertEqual([counts.lost, counts.lostOfEarlierRun, counts.acknowledged.readings], [100, 100, 30])
    XCTAssertEqual([run.heard.withLock { $0.acknowledged }, run.heard.withLock { $0.lost }], [30, 0])
  }

  func testTheRingGivesWayOnAFullDisk() throws {
    for full in ServerSettings.WhenFull.allCases {
      let disk = ModelDisk(seed: 1)
      let (run, _) = try open(disk, settings(full, size: 1 << 20), window: 1, after: nil)
      disk.room = 300 << 10
      var number: Int64 = 0
      while number < 100_000 {
        try run.sender.append(readings(number..<number + 1_000, from: number * 7_919))
        number += 1_000
        run.queues.run(for: 100_000_000)
      }
      run.queues.run(for: 60_000_000_000)
      XCTAssertEqual(run.sender.counts.acknowledged.readings, Int(number), "\(full)")
      XCTAssertEqual(run.sender.counts.dropped.readings, 0, "\(full)")
      XCTAssertFalse(disk.paths.contains { $0.hasSuffix("/00000000000000000000.log") }, "nothing had to give way")
    }
  }

  func testAFullDiskDropsTheOldest() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(.dropOldest, size: 2 << 20), window: 1, after: nil)
    disk.room = 1 << 20
    run.end.mood = .away
    for number in stride(from: 0 as Int64, to: 400_000, by: 1_000) {
      try run.sender.append(readings(number..<number + 1_000, from: number * 7_919))
    }
    run.end.mood = .takes
    run.queues.run(for: 600_000_000_000)
    let counts = run.sender.counts
    XCTAssertEqual(counts.dropped.readings + counts.acknowledged.readings, 400_000)
    XCTAssertEqual(run.end.points.keys.map(\.time).max(), 399_000 * 7_919 + 399_999 / 3)
  }

  /// A request is under way in the oldest segment: the readings behind it go, and not the new ones.
  func testWhatIsOnItsWayIsNotDropped() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(.dropOldest, size: 1 << 20), window: 1, after: nil)
    run.end.mood = .never
    let all: Int64 = 600_000
    for number in stride(from: 0, to: all, by: 1_000) {
      try run.sender.append(readings(number..<number + 1_000, from: number * 7_919))
      run.queues.run(for: 1_000_000)
    }
    XCTAssertEqual(run.sender.counts.dropped.readings, run.heard.withLock { $0.dropped })
    run.end.answerAll()
    run.end.mood = .takes
    run.queues.run(for: 600_000_000_000)
    let counts = run.sender.counts
    XCTAssertGreaterThan(counts.dropped.readings, 0)
    XCTAssertEqual(counts.dropped.readings + counts.acknowledged.readings, Int(all))
    XCTAssertEqual([counts.lost, counts.queued], [0, 0])
    XCTAssertNotNil(run.end.points[ModelEnd.Point(time: 0, ordinal: 0)])
    XCTAssertEqual(run.end.points.keys.map(\.time).max(), (all - 1_000) * 7_919 + (all - 1) / 3)
    let heard = run.heard.withLock { $0 }
    XCTAssertEqual([heard.acknowledged, heard.dropped], [counts.acknowledged.readings, counts.dropped.readings])
  }

  /// The readings behind the oldest segment go, then those of the oldest segment: each is counted once.
  func testTheSegmentBeforeDroppedOnesIsDroppedLater() throws {
    for seed in 0..<5 as Range<UInt64> {
      var generator = SeededGenerator(seed)
      let disk = ModelDisk(seed: seed)
      let (run, _) = try open(
        disk, settings(.dropOldest, size: 512 << 10), window: Int.random(in: 1...3, using: &generator), after: nil)
      var number: Int64 = 0
      for _ in 0..<6 {
        run.end.mood = [.never, .away, .takes].randomElement(using: &generator) ?? .never
        for _ in 0..<Int.random(in: 1...300, using: &generator) {
          try run.sender.append(readings(number..<number + 500, from: number * 7_919))
          number += 500
          run.queues.run(for: 1_000_000)
        }
        if Bool.random(using: &generator) { run.end.mood = .away }
        run.end.answerAll()
        run.queues.run(for: 1_000_000)
      }
      run.end.answerAll()
      run.end.mood = .takes
      run.queues.run(for: 600_000_000_000)
      let counts = run.sender.counts
      XCTAssertEqual(counts.dropped.readings + counts.acknowledged.readings, Int(number), "seed \(seed)")
      XCTAssertEqual([counts.lost, counts.queued], [0, 0], "seed \(seed)")
      XCTAssertEqual(run.end.points.count, counts.acknowledged.readings, "seed \(seed)")
      let heard = run.heard.withLock { $0 }
      XCTAssertEqual([heard.acknowledged, heard.dropped], [counts.acknowledged.readings, counts.dropped.readings])
    }
  }

  /// A part that was given up is read in two pieces, because the second one is not synced at first.
  func testAGapInTwoPieces() throws {
    let disk = ModelDisk(seed: 1)
    let folder = try SpoolFolder(
      of: "model://end", in: "spool", settings(size: 512 << 10), [Self.stream], raw: false, decimals: nil,
      Self.identity, Disk(files: disk))
    let spool = DiskSpool(folder.log, limit: 512 << 10)
    var number: Int64 = 0
    while folder.log.segmentCount < 4 {
      try spool.append(readings(number..<number + 100, from: number * 7_919), ReadingOrdinals())
      number += 100
    }
    guard case .batch(let first) = try spool.read(most: 10, before: .max) else { return XCTFail("nothing is read") }
    let segments = folder.log.endedSegments
    let given = try XCTUnwrap(spool.giveUp({ $0.lowerBound == 0 }, counted: []) { _, _ in })
    XCTAssertEqual(given, segments[1])
    let middle = given.lowerBound + 7
    var (next, gone) = (first.numbers.upperBound, 0)
    for end in [middle, .max] {
      while next < min(end, UInt64(number)) {
        switch try spool.read(most: 1_000, before: end) {
        case .batch(let batch):
          XCTAssertEqual(batch.first, next)
          next = batch.numbers.upperBound
        case .gone(let count):
          gone += count
          next += UInt64(count)
        case .lost, .end: return XCTFail("it is lost")
        }
      }
    }
    XCTAssertEqual(gone, given.count)
  }

  /// The limit of this run is less than what the last run has left in its only segment.
  func testASmallerLimitThanTheOnlySegment() throws {
    let disk = ModelDisk(seed: 1)
    let (first, _) = try open(disk, settings(), window: 1, after: nil)
    first.sender.start()
    for number in stride(from: 0 as Int64, to: 100_000, by: 1_000) {
      try first.sender.append(readings(number..<number + 1_000, from: number * 7_919))
    }
    first.sender.end()
    first.queues.run(for: 600_000_000_000)
    XCTAssertEqual(first.sender.counts.acknowledged.readings, 100_000)
    first.queues.kill()
    for full in ServerSettings.WhenFull.allCases {
      let (run, _) = try open(disk, settings(full, size: 64 << 10), window: 1, after: first.end)
      run.sender.start()
      XCTAssertNoThrow(try run.sender.append(readings(0..<100, from: 900_000_000)), "\(full)")
      run.sender.end()
      run.queues.run(for: 60_000_000_000)
      XCTAssertEqual(run.sender.counts.acknowledged.readings, 100, "\(full)")
      run.queues.kill()
    }
  }

  func testASyncThatFailsIsSaid() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    run.end.mood = .away
    disk.fault = { call, path in call == "sync" && path.hasSuffix(".log") ? .error(EIO) : nil }
    try run.sender.append(readings(0..<10, from: 0))
    run.queues.run(for: 200_000_000_000)
    let heard = run.heard.withLock { $0 }
    XCTAssertTrue(heard.faults.first?.contains("sync the spool") ?? false, "\(heard.faults)")
    XCTAssertTrue((3...5).contains(heard.faults.count), "\(heard.faults)")
    XCTAssertEqual(heard.acknowledged, 0)
  }

  func testAnAnswerAfterTheEndChangesNothing() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    run.end.mood = .never
    run.end.answersLate = true
    try run.sender.append(readings(0..<10, from: 0))
    run.queues.run(for: 0)
    run.sender.stop()
    run.queues.run(for: 0)
    run.end.answerAll()
    run.queues.run(for: 1_000_000_000)
    XCTAssertEqual(run.sender.counts.acknowledged.readings, 0)
    XCTAssertEqual(run.heard.withLock { $0.acknowledged }, 0)
  }

  /// The disk has room for the beginning of a segment, and not for a record.
  func testADiskWithoutRoomForARecord() throws {
    for full in ServerSettings.WhenFull.allCases {
      let disk = ModelDisk(seed: 1)
      let (run, _) = try open(disk, settings(full, size: 1 << 20), window: 1, after: nil)
      run.sender.start()
      disk.room = 6 << 10
      let many = (0..<5_000).map { number -> Reading in
        let value = Int64(number) * 7_919_000_001
        return Reading(time: value, stream: StreamID(0), values: Values(value))
      }
      if full == .block { XCTAssertThrowsError(try run.sender.append(many)) } else { try? run.sender.append(many) }
      run.queues.run(for: 1_000_000_000)
      XCTAssertEqual(run.sender.counts.acknowledged.readings, 0, "\(full)")
    }
  }

  func testAFullSpoolDropsTheNewest() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(.dropNewest, size: 1 << 20), window: 1, after: nil)
    run.end.mood = .away
    for number in stride(from: 0 as Int64, to: 400_000, by: 1_000) {
      try run.sender.append(readings(number..<number + 1_000, from: number * 7_919))
    }
    run.end.mood = .takes
    run.queues.run(for: 600_000_000_000)
    let counts = run.sender.counts
    XCTAssertGreaterThan(counts.dropped.readings, 0)
    XCTAssertEqual(counts.dropped.readings + counts.acknowledged.readings, 400_000)
  }
}
