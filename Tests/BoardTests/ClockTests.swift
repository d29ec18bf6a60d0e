import Dispatch
import Foundation
import Sluice
import SluicePipeline
import SluiceReadings
import SluiceRecording
import XCTest

/// A recording on a machine whose clock is set meanwhile. The board has a clock of its own, which may be set.
final class ClockTests: BoardTestCase {
  private let hour: Int64 = 3_600_000_000_000
  private let output = NSTemporaryDirectory() + "clock.csv"
  private let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("sluice").path

  private func set(by nanoseconds: Int64) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += Int(nanoseconds / 1_000_000_000)
    XCTAssertEqual(clock_settime(CLOCK_REALTIME, &time), 0, String(cString: strerror(errno)))
  }

  private func times(_ path: String) throws -> [Int64] {
    try SimulatedChip.text(path).split(separator: "\n").dropFirst().compactMap { row in
      row.split(separator: ",").first.flatMap { Int64($0) }
    }
  }

  private func clocks() throws -> TraceMetadata.Clocks {
    try XCTUnwrap(TraceMetadata(beside: output)?.runs.last?.clocks)
  }

  private func start() throws -> ChildProcess {
    for path in [output, output + "-metadata.json"] { unlink(path) }
    let process = ChildProcess(command, ["record", "timer:20ms", "-o", output, "--quiet"])
    waitUntil("the first rows") { ((try? self.times(self.output)) ?? []).count > 5 }
    return process
  }

  private func corrected() throws -> [Int64] {
    let path = NSTemporaryDirectory() + "corrected.csv"
    let replay = ChildProcess(
      command, ["replay", output, "--times", "corrected", "-o", path, "--force", "--quiet"])
    XCTAssertEqual(replay.wait(), 0)
    return try times(path)
  }

  /// Without the look that is taken each second all the same.
  func testTheKernelSaysThatTheClockWasSet() throws {
    let said = Locked(0)
    let clocks = SystemClocks()
    let watch = try XCTUnwrap(clocks.whenSet(on: DispatchQueue(label: "test.clock")) { said.withLock { $0 += 1 } })
    XCTAssertEqual(clocks.isSynchronised, false, "nothing synchronises the board")
    for count in 1...3 {
      let ahead = clocks.realtime - clocks.monotonic
      set(by: count == 2 ? -hour : hour)
      waitUntil("the clock was set") { said.withLock { $0 } == count }
      XCTAssertGreaterThan((clocks.realtime - clocks.monotonic - ahead).magnitude, UInt64(hour / 2))
    }
    set(by: -hour)
    watch.cancel()
  }

  func testTimesHaveNoStepAndCanBeCorrected() throws {
    let process = try start()
    let before = try times(output).count
    set(by: hour)
    defer { set(by: -hour) }
    waitUntil("more rows") { ((try? self.times(self.output)) ?? []).count > before + 20 }
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    let recorded = try times(output)
    for (earlier, later) in zip(recorded, recorded.dropFirst()) {
      XCTAssertGreaterThan(later, earlier)
      XCTAssertLessThan(later, earlier + hour / 2)
    }
    let clocks = try clocks()
    let offset = try XCTUnwrap(clocks.offset)
    XCTAssertEqual(clocks.isSynchronised, false, "nothing synchronises the board")
    XCTAssertEqual(clocks.changes.map(\.cause), [.set])
    let change = try XCTUnwrap(clocks.changes.first)
    XCTAssertTrue((recorded[0]...recorded[recorded.count - 1]).contains(change.time), "\(change)")
    // Setting a clock takes a while, and reading another one too.
    let shift = change.offset - offset
    XCTAssertLessThan((shift - hour).magnitude, 1_000_000_000)
    XCTAssertEqual(try corrected(), recorded.map { $0 + shift })
  }

  /// The metadata has it at once.
  func testAKilledRecordingHasSaidIt() throws {
    let process = try start()
    set(by: -hour)
    defer { set(by: hour) }
    waitUntil("the change in the metadata") { (try? self.clocks().changes.map(\.cause)) == [.set] }
    XCTAssertEqual(try TraceMetadata(beside: output)?.state, .unfinished)
    XCTAssertNil(process.wait(after: SIGKILL))
    let clocks = try clocks()
    let shift = try XCTUnwrap(clocks.changes.first).offset - XCTUnwrap(clocks.offset)
    let recorded = try times(output)
    // The last row may be torn.
    XCTAssertEqual(try corrected().prefix(5), recorded.prefix(5).map { $0 + shift }[...])
    XCTAssertLessThan((shift + hour).magnitude, 1_000_000_000)
  }
}
