import Foundation
import SluiceReadings
import SluiceRecording
import XCTest

/// The command, with several devices in one file.
final class RecordCommandTests: BoardTestCase {
  private let second = "/sys/kernel/config/iio/devices/dummy/dummy1"
  private let tock = "/sys/kernel/config/iio/triggers/hrtimer/tock"

  override func setUpWithError() throws {
    try super.setUpWithError()
    for folder in [second, tock] { XCTAssertEqual(mkdir(folder, 0o755), 0) }
  }

  override func tearDown() {
    for folder in [second, tock] { rmdir(folder) }
  }

  /// Two devices of one driver at two rates, and two lines of one chip with different edges, in one wide file.
  func testEachSourceHasItsOwnSettings() throws {
    let chip = try SimulatedChip("sim8")
    let output = NSTemporaryDirectory() + "sources.csv"
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = ChildProcess(
      products.appendingPathComponent("sluice").path,
      [
        "record", "up=gpio:sim8:0,edges=rising", "down=gpio:sim8:1,edges=falling",
        "fast=iio:dummy0:voltage0,sample-rate=500,trigger=tick",
        "slow=iio:dummy1:voltage0,accel_x,sample-rate=50,trigger=tock", "--layout", "wide", "-o", output, "--force",
        "--quiet",
      ])
    waitUntil("the first rows") { ((try? SimulatedChip.text(output)) ?? "").split(separator: "\n").count > 50 }
    try chip.drive(lines: 2, toggles: 20, every: 20_000)
    waitUntil("the last edges") {
      guard let readings = try? self.readings(output) else { return false }
      return readings["up"]?.count == 10 && readings["down"]?.count == 10 && readings["slow", default: []].count > 20
    }
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    XCTAssertEqual(
      try SimulatedChip.text(output).split(separator: "\n").first, "time_ns,up,down,fast,slow.voltage0,slow.accel_x")
    let all = try readings(output)
    XCTAssertEqual(all["up"]?.map { $0.values[0].significand }, Array(repeating: 1, count: 10))
    XCTAssertEqual(all["down"]?.map { $0.values[0].significand }, Array(repeating: 0, count: 10))
    // Ten to one, but that an hrtimer of the board fires late or not at all.
    XCTAssertGreaterThan(all["fast", default: []].count, 3 * all["slow", default: []].count)
    let metadata = try XCTUnwrap(TraceMetadata(beside: output))
    XCTAssertEqual(metadata.streams?.map(\.device?.bus), ["gpio-sim.0", "gpio-sim.0", nil, nil])
    XCTAssertEqual(metadata.streams?.suffix(2).map(\.device?.name), ["dummy0", "dummy1"])
  }

  private func readings(_ path: String) throws -> [String: [Reading]] {
    let trace = try TraceReader(path: path)
    var readings: [String: [Reading]] = [:]
    while let reading = try trace.next() {
      readings[trace.streams[Int(reading.stream.index)].name, default: []].append(reading)
    }
    return readings
  }
}
