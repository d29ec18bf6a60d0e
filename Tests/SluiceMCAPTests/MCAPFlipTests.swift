import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// A bit that is flipped at each byte of a file of twenty chunks: it is seen, all other chunks are kept, and what is gone is
/// named. `Tests/Durable/chunks` does it at random in files of real chunks.
final class MCAPFlipTests: MCAPTestCase {
  private let count: Int64 = 20
  /// A repair at every byte takes half a minute: `make test-long`.
  private let stride = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"] == nil ? 7 : 1

  func testAFinishedFile() throws {
    try write(batches(0..<count), streams)
    try check(isFinished: true)
  }

  func testAFileThatWasCutOff() throws {
    try write(batches(0..<count), streams, closes: false)
    try check(isFinished: false)
  }

  private func check(isFinished: Bool) throws {
    let whole = try bytes
    let chunks = try XCTUnwrap(Contents.read(FileBytes(whole), checkedFrom: nil)).summary.chunks.map {
      Int($0.offset)..<Int($0.offset + $0.length)
    }
    XCTAssertEqual(chunks.count, Int(count))
    let all = batches(0..<count)
    var generator = SeededGenerator(isFinished ? 3 : 4)
    var (unseen, lost, named) = (0, 0, 0)
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      let found = try MCAPRepair.damage(in: damaged)
      if found.isEmpty { unseen += 1 }
      // Without a summary and its checksum, nothing says what the name of the library was, and little of definitions.
      if isFinished { XCTAssertFalse(found.isEmpty, "byte \(place)") }
      guard place % stride == 0 else { continue }
      let (repaired, faults) = try repaired(damaged)
      let trace = try Trace(repaired)
      XCTAssertNil(trace.error, "byte \(place)")
      XCTAssertEqual(trace.warnings, [], "byte \(place)")
      XCTAssertTrue(try MCAPRepair.damage(in: repaired).isEmpty, "byte \(place)")
      let times = trace.readings.map(\.time)
      if times == all.flatMap({ $0 }).map(\.time) {
        XCTAssertEqual(faults.filter { $0.contains("missing") }, [], "byte \(place)")
        continue
      }
      guard let hit = chunks.firstIndex(where: { $0.contains(place) }) else {
        XCTFail("byte \(place) is of no chunk")
        continue
      }
      lost += 1
      let others = all.enumerated().filter { $0.offset != hit }.flatMap(\.element)
      XCTAssertEqual(times, others.map(\.time), "byte \(place)")
      let missing = faults.filter { $0.contains("missing") }
      let (a, b) = (2 * hit, hit)
      let expected =
        hit < chunks.count - 1
        ? ["w.mcap: of a, numbers \(a + 1) to \(a + 2) are missing", "w.mcap: of b, number \(b + 1) is missing"]
        : [
          "w.mcap: of a, 2 readings after number \(a) are missing",
          "w.mcap: of b, 1 reading after number \(b) is missing",
        ]
      // A chunk whose kind or length is damaged takes its indexes with it, and nothing behind the last one says what it had.
      if missing.isEmpty, hit == chunks.count - 1, !isFinished { continue }
      XCTAssertEqual(missing, expected, "byte \(place)")
      named += 1
      let isGap = trace.readings.enumerated().filter { $0.element.flags == .gapBefore }
      // One reading of `b` that is missing leaves out one number, as does a run that goes on.
      XCTAssertEqual(isGap.map(\.offset), hit < chunks.count - 1 ? [3 * hit] : [], "byte \(place)")
    }
    XCTAssertGreaterThan(lost, 2_000 / stride)
    XCTAssertGreaterThan(named, lost * 97 / 100)
    if !isFinished { XCTAssertLessThan(unseen, 40) }
  }

  /// Repairs bytes on a disk in memory, because a sync takes longer than all else.
  private func repaired(_ bytes: [UInt8]) throws -> (bytes: [UInt8], faults: [String]) {
    let disk = ModelDisk(seed: 1)
    let descriptor = try disk.open("w.mcap", O_WRONLY | O_CREAT)
    XCTAssertNil(bytes.withUnsafeBytes { disk.write(all: $0, to: descriptor) }.error)
    try disk.close(descriptor)
    let done = try RecordingRepair("w.mcap", Disk(files: disk), formats: [MCAPRepair.self]).run(isDryRun: false)
    return (disk.bytes("w.mcap"), done.rows.faults)
  }
}
