import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@_spi(Preview) @testable import SluiceRecording
@testable import SluiceSend

/// A sender with a spool on a disk in memory, in virtual time: killed, cut off from its power, with a server of any mood.
final class SpoolModelTests: XCTestCase {
  private static let stream = StreamDescription(name: "s", channels: [.init(name: "value")])
  private static let identity = BoardIdentity(name: "board", machine: "abc", epoch: { "0123" })

  private struct Run {
    var sender: Sender
    var end: ModelEnd
    var queues: VirtualQueues
  }

  private func settings(_ full: ServerSettings.WhenFull = .block, size: Int = 1 << 30) -> ServerSettings {
    var settings = ServerSettings()
    (settings.spool, settings.whenFull, settings.spoolSize) = ("spool", full, size)
    return settings
  }

  private func open(
    _ disk: ModelDisk, _ settings: ServerSettings, window: Int, after end: ModelEnd?
  ) throws -> (run: Run, path: String) {
    let queues = VirtualQueues()
    let folder = try SpoolFolder(
      of: "model://end", in: "spool", settings, [Self.stream], raw: false, decimals: nil, Self.identity,
      Disk(files: disk, sync: .every(.milliseconds(50))))
    let end = ModelEnd(window: window, most: 37, queues.queue, after: end)
    let sender = Sender(
      to: "model://end", settings, DiskSpool(folder.log, limit: Int64(settings.spoolSize)), end, queues.queue,
      sync: .every(.milliseconds(50)), refusals: nil, patience: (2_000_000_000, 5_000_000_000), seed: 5)
    return (Run(sender: sender, end: end, queues: queues), folder.path)
  }

  private func readings(_ numbers: Range<Int64>, from time: Int64) -> [Reading] {
    numbers.map { Reading(time: time + $0 / 3, stream: StreamID(0), values: Values($0)) }
  }

  /// What was appended is at the server in the end, each reading as one point, and no two as the same.
  func testKillsAndPowerCuts() throws {
    var (kills, cuts, repeats) = (0, 0, 0)
    for seed in 0..<70 as Range<UInt64> {
      var generator = SeededGenerator(seed)
      let disk = ModelDisk(seed: seed)
      var number: Int64 = 0
      var last: ModelEnd?
      var wasCut = false
      var certain: Set<Int64> = []
      for _ in 0..<5 {
        let (run, _) = try open(disk, settings(), window: Int.random(in: 1...3, using: &generator), after: last)
        last = run.end
        run.sender.start()
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
          if Int.random(in: 0..<4, using: &generator) == 0 {
            run.end.mood = ModelEnd.Mood.allCases.randomElement(using: &generator) ?? .takes
          }
          let count = Int64.random(in: 0...60, using: &generator)
          try run.sender.append(readings(number..<number + count, from: 1_000))
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
      XCTAssertTrue(seen.isSubset(of: certain), "seed \(seed)")
      if !wasCut { XCTAssertEqual(seen, certain, "seed \(seed)") }
    }
    for count in [kills, cuts, repeats] { XCTAssertGreaterThan(count, 50) }
  }

  func testRefusedReadingsAreCountedAndTheRestArrives() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    run.end.refuses = [17, 90]
    nonisolated(unsafe) var (acknowledged, lost) = (0, 0)
    run.sender.acknowledged = { acknowledged += $0.reduce(0, +) }
    run.sender.lost = { lost += $0.counts.reduce(0, +) }
    try run.sender.append(readings(0..<100, from: 0))
    run.queues.run(for: 60_000_000_000)
    XCTAssertEqual(run.end.points.values.reduce(0) { $0 + $1.count }, 98)
    let counts = run.sender.counts
    XCTAssertEqual([counts.queued, counts.acknowledged.readings, counts.refused.readings], [0, 98, 2])
    XCTAssertEqual([acknowledged, lost], [98, 2])
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
    nonisolated(unsafe) var (acknowledged, lost) = (0, 0)
    run.sender.acknowledged = { acknowledged += $0.reduce(0, +) }
    run.sender.lost = { lost += $0.counts.reduce(0, +) }
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
    XCTAssertEqual([acknowledged, lost], [counts.acknowledged.readings, counts.dropped.readings])
    XCTAssertEqual(run.end.points.count, counts.acknowledged.readings)
    XCTAssertLessThanOrEqual(counts.bytes, 1 << 21)
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

  func testASpoolOfAnotherMachineIsRefused() throws {
    let disk = ModelDisk(seed: 1)
    let (run, _) = try open(disk, settings(), window: 1, after: nil)
    run.sender.stop()
    run.queues.run(for: 0)
    let other = BoardIdentity(name: "board", machine: "def", epoch: { "4567" })
    XCTAssertThrowsError(
      try SpoolFolder(
        of: "model://end", in: "spool", settings(), [Self.stream], raw: false, decimals: nil, other, Disk(files: disk))
    ) { XCTAssertTrue("\($0)".contains("another machine has begun it"), "\($0)") }
  }

  func testTheBoardAndTheEpochStay() throws {
    let disk = ModelDisk(seed: 1)
    let (run, path) = try open(disk, settings(), window: 1, after: nil)
    run.sender.stop()
    run.queues.run(for: 0)
    let renamed = BoardIdentity(name: "other", machine: "abc", epoch: { "4567" })
    let folder = try SpoolFolder(
      of: "model://end", in: "spool", settings(), [Self.stream], raw: false, decimals: nil, renamed, Disk(files: disk))
    XCTAssertEqual(folder.path, path)
    XCTAssertEqual([folder.description.board, folder.description.epoch], ["board", "0123"])
    folder.log.close()
  }
}
