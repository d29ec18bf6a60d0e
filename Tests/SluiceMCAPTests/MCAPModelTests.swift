import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// Random runs into one file on a disk that fails, dies and loses what was not synced. What was synced is there, nothing is
/// there twice, no run takes away what is whole, and each run that ends leaves a file with a whole index.
final class MCAPModelTests: XCTestCase {
  func testRandomRuns() throws {
    var counts = (errors: 0, kills: 0, cuts: 0, ends: 0, gaps: 0)
    for seed in 1...400 as ClosedRange<UInt64> {
      var run = Runs(seed)
      for _ in 0..<5 { try run.next() }
      counts.errors += run.errors
      counts.kills += run.kills
      counts.cuts += run.cuts
      counts.ends += run.ends
      counts.gaps += run.gaps
    }
    XCTAssertGreaterThan(min(counts.errors, counts.kills, counts.cuts, counts.ends), 100)
    XCTAssertGreaterThan(counts.gaps, 0)
  }

  private struct Runs {
    let seed: UInt64
    let disk: ModelDisk
    var random: SeededGenerator
    let streams = [stream("a", "x"), stream("b", "x", "y")]
    var time: Int64 = 1
    /// All that was written, and how much of it was synced.
    var written: [Int64] = []
    var synced = 0
    var (errors, kills, cuts, ends, gaps) = (0, 0, 0, 0, 0)

    init(_ seed: UInt64) {
      self.seed = seed
      disk = ModelDisk(seed: seed)
      random = SeededGenerator(seed &* 77)
    }

    mutating func next() throws {
      let file = try ClaimedFile(path: "w.mcap", existing: .append, disk: Disk(files: disk, sync: .batch))
      try file.lock()
      let store = try MCAPFormat().store(file, EncoderStreams(streams))
      try store.check()
      try store.begin { _ in }
      try file.sync()
      try? file.syncFolder()
      // A file whose beginning was cut off has begun anew.
      try check("begun")
      synced = written.count
      let isKilled = Bool.random(using: &random)
      if isKilled { disk.bytesToLive = Int.random(in: 0...3_000, using: &random) }
      for _ in 0..<Int.random(in: 0...6, using: &random) where !disk.isDead { write(to: store) }
      if !isKilled, Bool.random(using: &random) {
        try store.close()
        ends += 1
        synced = written.count
        try check("ended")
        let contents = try Contents.finished(FileBytes(disk.bytes("w.mcap")))
        XCTAssertEqual(contents?.summary.messageCount, UInt64(written.count), "seed \(seed)")
      }
      if Bool.random(using: &random) {
        disk.kill()
        kills += 1
        try check("killed")
      } else {
        disk.cutPower()
        cuts += 1
        try check("cut")
      }
    }

    private mutating func write(to store: any RecordStore) {
      var readings: [Reading] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let isFirst = Bool.random(using: &random)
        readings.append(reading(time, isFirst ? 0 : 1, isFirst ? [time] : [time, 7]))
        time += 1
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        errors += 1
        var left = Int.random(in: 1...3, using: &random)
        disk.fault = { call, _ in
          guard ["write", "truncate"].contains(call), left > 0 else { return nil }
          left -= 1
          return call == "write" ? [.error(ENOSPC), .shortError(EIO)][left % 2] : .error(EIO)
        }
      }
      _ = readings.withUnsafeBufferPointer { store.append($0) }
      store.endRow()
      guard let batch = store.batch() else { return XCTFail("no batch") }
      for _ in 0..<10 where !batch.unwritten.isEmpty && !disk.isDead { try? batch.write() }
      guard batch.unwritten.isEmpty, !disk.isDead else { return }
      written += readings.map(\.time)
      guard Bool.random(using: &random), (try? store.sync()) != nil, !disk.isDead else { return }
      synced = written.count
    }

    /// What was synced is there, in its order. Of the rest a power cut may take some out of the middle, and the next run
    /// keeps what is whole behind that.
    private mutating func check(_ what: String) throws {
      let bytes = disk.bytes("w.mcap")
      let trace = try bytes.isEmpty ? nil : Trace(bytes, skipsBad: true, batch: 64)
      let times = trace?.readings.map(\.time) ?? []
      XCTAssertTrue(times.starts(with: written.prefix(synced)), "seed \(seed), \(what): \(synced) were synced")
      XCTAssertTrue(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed), \(what)")
      let known = Set(written)
      // A write that was killed may be whole all the same.
      XCTAssertTrue(times.allSatisfy { known.contains($0) || $0 > written.last ?? 0 }, "seed \(seed), \(what)")
      // No run takes away what could be read before it.
      if what == "begun" || what == "ended" { XCTAssertEqual(times, written, "seed \(seed), \(what)") }
      // No number is there twice, whatever was damaged before them.
      for (topic, numbers) in try Trace.sequences(bytes) {
        XCTAssertTrue(
          zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed), \(what): \(topic) \(numbers)")
      }
      gaps += what == "cut" && !written.starts(with: times) ? 1 : 0
      written = times
      synced = min(synced, written.count)
      if let error = trace?.error, !error.contains("within its header") { XCTFail("seed \(seed), \(what): \(error)") }
    }
  }
}
