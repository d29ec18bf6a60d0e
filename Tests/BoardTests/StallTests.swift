import Foundation
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluiceDevices
@testable import SluicePipeline

/// What the loss budget promises, with a kernel that keeps the readings: the recorder stands still for a time, because it is
/// stopped by a signal.
final class StallTests: BoardTestCase {
  private let output = NSTemporaryDirectory() + "stall.csv"

  private func budget(_ source: String) throws -> LossBudget.Line {
    let plan = RecordingPlan(
      sources: [try SourceSpec(source)], stages: [.buffer(5_000)], outputs: [OutputPlan(output)])
    return LossBudget(plan, roots: DeviceRoots()).lines[0]
  }

  private var rows: Int { ((try? SimulatedChip.text(output)) ?? "").split(separator: "\n").count - 1 }

  /// Records a source, stops the recorder while something happens, and lets it go on.
  /// - Parameter rest: Brings further readings, so that what is missing shows.
  private func losses(
    _ source: String, stopped: () throws -> Void, rest: () throws -> Void = {}
  ) throws -> [Loss] {
    // That of a former run has rows already.
    unlink(output)
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = ChildProcess(
      products.appendingPathComponent("sluice").path,
      ["record", source, "--buffer", "5000", "-o", output, "--force", "--quiet"])
    waitUntil("the header") { ((try? SimulatedChip.text(output)) ?? "").hasPrefix("time_ns") }
    try rest()
    waitUntil("the first rows") { rows > 0 }
    XCTAssertEqual(kill(process.id, SIGSTOP), 0)
    try stopped()
    XCTAssertEqual(kill(process.id, SIGCONT), 0)
    let before = rows
    try rest()
    waitUntil("the rows behind the stall") { rows > before }
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    return try XCTUnwrap(TraceMetadata(beside: output)?.losses)
  }

  /// Scans have times and a known rate, so the budget is a time. The kernel's clock cannot be virtual: the stall lasts.
  func testScans() throws {
    let source = "iio:dummy0:voltage0,sample-rate=200,trigger=tick,length=512,watermark=8"
    guard case .time(let stall) = try budget(source).program else { return XCTFail("the rate is not known") }
    // A FIFO of 2.5 s: a fifth of it is half a second.
    XCTAssertGreaterThan(stall, 2_000_000_000)
    for times in [1, 2] {
      // A fifth is left for the time until the process runs again, which belongs to its stall. A busy machine took more
      // than the 64 ms of a shorter FIFO.
      let losses = try losses(source) { usleep(UInt32(times) * UInt32(stall / 1_000) * 4 / 5) }
      let full = losses.filter { $0.reason.contains("full") }
      XCTAssertEqual(full.isEmpty, times == 1, "\(times) x \(stall) ns: \(losses)")
      XCTAssertEqual(losses.contains { $0.countsReadings && $0.count > 10 }, times == 2, "\(losses)")
    }
  }

  /// Nobody knows when edges come, so the budget is their number.
  func testEdges() throws {
    let source = "gpio:sim8:0"
    guard case .readings(let count) = try budget(source).program else { return XCTFail("the rate is known") }
    XCTAssertGreaterThan(count, 0)
    let chip = try SimulatedChip("sim8")
    for times in [1, 2] {
      var toggle = 0
      func drive(_ toggles: Int) throws {
        try chip.drive(lines: 1, toggles: toggles, every: 4_000, from: toggle)
        toggle += toggles
      }
      let losses = try losses(source, stopped: { try drive(times * count) }, rest: { try drive(2) })
      XCTAssertEqual(losses.isEmpty, times == 1, "\(times) x \(count) edges: \(losses)")
    }
  }
}
