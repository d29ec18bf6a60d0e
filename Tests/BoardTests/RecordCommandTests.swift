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

  /// What a live recording writes, and what a replay of the same readings, kept raw, writes: the same bytes.
  func testTheReplayOfARawTwinHasTheSameBytes() throws {
    let chip = try SimulatedChip("sim8")
    let folder = NSTemporaryDirectory() + "twins-\(UUID().uuidString)/"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let options = [
      "wide.csv": ["--layout", "wide"], "long.csv": ["--layout", "long"], "o.jsonl": [], "o.vcd": [], "o.lp": [],
      "iso.csv": ["--layout", "long", "--time", "iso", "--decimals", "2"],
      "relative.jsonl": ["--time", "relative"],
    ]
    let outputs = options.map { name, options in
      var members = ["\"path\": \"\(folder)live-\(name)\""]
      for index in stride(from: 0, to: options.count, by: 2) {
        let value = options[index + 1]
        members.append("\"\(options[index].dropFirst(2))\": \(Int(value) == nil ? "\"\(value)\"" : value)")
      }
      return "{\(members.joined(separator: ", "))}"
    }
    let plan = """
      {"version": 1, "sources": [
        {"kind": "gpio", "what": "sim8:0,1"},
        {"kind": "iio", "what": "dummy0:voltage0,accel_x", "name": "imu", "sample-rate": "200", "trigger": "tick"}],
       "outputs": [{"path": "\(folder)raw.csv", "raw": true, "layout": "long"}, \(outputs.joined(separator: ", "))]}
      """
    try plan.write(toFile: folder + "plan.json", atomically: true, encoding: .utf8)
    let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("sluice").path
    let recording = ChildProcess(command, ["record", "--plan", folder + "plan.json", "--quiet"])
    waitUntil("the first rows") {
      ((try? SimulatedChip.text(folder + "raw.csv")) ?? "").split(separator: "\n").count > 50
    }
    try chip.drive(lines: 2, toggles: 20, every: 5_000)
    waitUntil("the edges") { ((try? SimulatedChip.text(folder + "raw.csv")) ?? "").contains(",level,") }
    XCTAssertEqual(recording.wait(after: SIGINT), 0)

    for (name, options) in options {
      let replay = ChildProcess(
        command, ["replay", folder + "raw.csv", "--quiet", "-o", "\(folder)replay-\(name)"] + options)
      XCTAssertEqual(replay.wait(), 0, name)
      let (live, again) = try (
        Data(contentsOf: URL(fileURLWithPath: "\(folder)live-\(name)")),
        Data(contentsOf: URL(fileURLWithPath: "\(folder)replay-\(name)"))
      )
      XCTAssertGreaterThan(live.count, 1_000, name)
      XCTAssertEqual(live, again, name)
    }
  }

  private func record(_ arguments: [String], _ output: String) -> ChildProcess {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = ChildProcess(
      products.appendingPathComponent("sluice").path, ["record"] + arguments + ["-o", output, "--force", "--quiet"])
    // The lines are requested before the file is made.
    waitUntil("the header") { ((try? SimulatedChip.text(output)) ?? "").hasPrefix("time_ns") }
    return process
  }

  /// What came during a pause is written in the order of its times, whichever line it is of.
  func testAPauseKeepsTheOrderOfTwoLines() throws {
    let chip = try SimulatedChip("sim8")
    let output = NSTemporaryDirectory() + "pause.csv"
    try? FileManager.default.removeItem(atPath: output)
    let process = record(["a=gpio:sim8:0", "b=gpio:sim8:1", "--layout", "long", "--start-paused"], output)
    try chip.drive(lines: 1, toggles: 5, every: 20_000)
    // Down, which line 1 is already, and up.
    try chip.drive(lines: 2, toggles: 2, every: 20_000, from: 5)
    try chip.drive(lines: 2, toggles: 1, every: 20_000, from: 7)
    XCTAssertEqual(try SimulatedChip.text(output), "time_ns,stream,channel,value", "it is paused")
    kill(process.id, SIGUSR2)
    waitUntil("all edges") { ((try? SimulatedChip.text(output)) ?? "").split(separator: "\n").count == 11 }
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    let rows = try SimulatedChip.text(output).split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    let times = rows.compactMap { Int64($0[0]) }
    XCTAssertEqual(times, times.sorted())
    XCTAssertEqual(rows.prefix(6).map { $0[1] }, Array(repeating: "a", count: 6))
    XCTAssertEqual(rows.filter { $0[1] == "b" }.map { $0[3] }, ["1", "0"])
  }

  /// The last edge before a silence is held by the throttle; no other edge ends its interval.
  func testTheLastEdgeBeforeASilenceIsWritten() throws {
    let chip = try SimulatedChip("sim8")
    let output = NSTemporaryDirectory() + "silence.csv"
    try? FileManager.default.removeItem(atPath: output)
    let process = record(["gpio:sim8:0", "--throttle", "1s"], output)
    try chip.drive(lines: 1, toggles: 4, every: 20_000)
    waitUntil("the last edge") { ((try? SimulatedChip.text(output)) ?? "").split(separator: "\n").count == 3 }
    XCTAssertEqual(process.wait(after: SIGINT), 0)
    XCTAssertEqual(try SimulatedChip.text(output).split(separator: "\n").dropFirst().map(\.last), ["1", "0"])
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
