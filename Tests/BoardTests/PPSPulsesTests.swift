import Foundation
import SluiceReadings
import SluiceRecording
import XCTest

/// Pulses of the kernel's timer (pps-ktimer), one each second.
final class PPSPulsesTests: BoardTestCase {
  private let hour: Int64 = 3_600_000_000_000
  private let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("sluice").path

  private func set(by nanoseconds: Int64) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += Int(nanoseconds / 1_000_000_000)
    XCTAssertEqual(clock_settime(CLOCK_REALTIME, &time), 0, String(cString: strerror(errno)))
  }

  private func rows(_ path: String) -> [[Int64]] {
    ((try? SimulatedChip.text(path)) ?? "").split(separator: "\n").dropFirst().map { row in
      row.split(separator: ",").compactMap { Int64($0) }
    }
  }

  /// The wall clock, which gives their times, is set twice meanwhile. SLUICE_PULSES says how many: each takes a second.
  func testPulsesHaveNoStep() throws {
    let count = ProcessInfo.processInfo.environment["SLUICE_PULSES"].flatMap { Int($0) } ?? 12
    let output = NSTemporaryDirectory() + "pps.csv"
    let process = ChildProcess(
      command, ["record", "pps:0", "-n", "\(count)", "-o", output, "--force", "--quiet", "--max-loss", "0"])
    waitUntil("a third", seconds: 120) { self.rows(output).count >= count / 3 }
    set(by: hour)
    waitUntil("two thirds", seconds: 120) { self.rows(output).count >= 2 * count / 3 }
    set(by: -hour)
    XCTAssertEqual(process.wait(), 0)
    let rows = rows(output)
    XCTAssertEqual(rows.count, count)
    XCTAssertEqual(Set(rows.map(\.count)), [3], "time, sequence, offset")
    for (earlier, later) in zip(rows, rows.dropFirst()) {
      XCTAssertEqual(later[1], earlier[1] + 1, "the kernel's number")
      XCTAssertGreaterThan(later[0], earlier[0])
      // A step would be an hour. The host may keep the board from running.
      XCTAssertLessThan(later[0], earlier[0] + hour / 2)
    }
    XCTAssertTrue(rows.allSatisfy { $0[2].magnitude <= 500_000_000 })
    let metadata = try XCTUnwrap(TraceMetadata(beside: output))
    XCTAssertEqual(metadata.runs.last?.clocks?.changes.map(\.cause), [.set, .set])
    XCTAssertNotNil(metadata.runs.last?.clocks?.errors)
    XCTAssertEqual(metadata.losses?.filter { $0.count > 0 }.count, 0)
    XCTAssertLessThanOrEqual((metadata.uncertainTime ?? []).reduce(0) { $0 + $1.count }, 2)
  }

  func testAClockThatNothingSynchronisesIsRefused() throws {
    let process = ChildProcess(
      command, ["record", "pps:0", "-n", "1", "-o", "/dev/null", "--max-clock-error", "10ms", "--quiet"])
    XCTAssertEqual(process.wait(), 1)
  }
}
