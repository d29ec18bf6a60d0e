import Foundation
import XCTest

/// `sluice info` with `--intervals`, `--percentiles`, `--histogram` and `--fail`.
final class DistributionsCommandTests: CommandTestCase {
  /// 1,000 pulses of 100 us every millisecond, one of them 300 us late, one glitch of 5 us, and a gap of 4 periods.
  private func writeLine() throws {
    var rows = "time_ns,irq\n0,0\n"
    var time = 0
    for pulse in 1...1_000 {
      time += pulse == 600 ? 4_000_000 : 1_000_000
      let start = time + (pulse == 300 ? 300_000 : 0)
      rows += "\(start),1\n\(start + (pulse == 700 ? 5_000 : 100_000)),0\n"
    }
    try write("irq.csv", rows)
  }

  func testIntervalsOfAColumnOfLevels() throws {
    try writeLine()
    let said = try run("info irq.csv --intervals 1ms --shorter-than 10us")
    for part in [
      "irq rising: 999 intervals, period 1.000 ms (given)", "within 100.0 us of the period: 99.700 %, 3 outside",
      "gaps: 1 longer than 1.500 ms, 3 missing", "irq high: 1,000 pulses", "irq low: 999 pulses",
      "shorter than the limit: 1, the first 5.000 us at",
    ] { XCTAssertTrue(said.contains(part), "\(part)\n\(said)") }
    let rows = said.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    XCTAssertTrue(rows.contains("all 700.0 us 1.000 ms 1.000 ms 1.000 ms 4.000 ms 4.000 ms"), said)
    XCTAssertTrue(rows.contains("without gaps 700.0 us 1.000 ms 1.000 ms 1.000 ms 1.300 ms 1.300 ms"), said)
    XCTAssertTrue(rows.contains("deviation 0 ns 0 ns 0 ns 0 ns 300.0 us 300.0 us"), said)
    XCTAssertEqual(try run("info irq.csv --intervals 1kHz --shorter-than 10us"), said)
  }

  func testLimits() throws {
    try writeLine()
    try write("f.csv", "time_ns,x\n" + (0..<100).map { "\($0),\($0)\n" }.joined())
    for (limit, status, part) in [
      ("rising max > 3ms", 3, "irq rising: max is 4.000 ms, so 'rising max > 3ms' is true"),
      ("rising max > 5ms", 0, ""),
      ("high min < 10us", 3, "irq high: min is 5.000 us"), ("gaps > 0", 3, "irq rising: gaps is 1"),
      ("gaps > 1", 0, ""), ("deviation p99 > 100us", 0, ""),
      ("deviation max > 100us", 3, "the deviation's max is 300.0 us"),
      ("within < 99.9%", 3, "within is 99.700 %"), ("irq p50 >= 1", 0, ""), ("irq.irq p99 >= 1", 3, "p99 is 1.0"),
      ("door max > 1ms", 1, "it has no such intervals of \"door\""), ("p99", 64, "it has no comparison"),
    ] as [(String, Int32, String)] {
      let said = try runShell("$SLUICE info irq.csv --intervals=1ms --fail '\(limit)'", status: status)
      XCTAssertTrue(part.isEmpty || said.contains(part), "\(limit): \(said)")
    }
    XCTAssertTrue(try runShell("$SLUICE info f.csv --fail 'x p99 > 97.5'", status: 3).contains("f.x: p99 is 98.0"))
    XCTAssertTrue(try runShell("$SLUICE info f.csv --fail 'x p99 > 98.5'").contains("100 readings"))
    XCTAssertTrue(try run("info f.csv --tolerance 1us", status: 64).contains("give --intervals too"))
    for option in ["--tolerance 1us", "--shorter-than 1us"] {
      XCTAssertTrue(try run("info f.csv --histogram a \(option)", status: 64).contains("give --intervals too"), option)
    }
  }

  func testRecordedLinesAndScans() throws {
    try run("record METER=sim:meter@200,seed=3 imu=sim:imu@400,seed=3 --count 600 -o t.csv")
    let said = try runShell("$SLUICE info t.csv --intervals --percentiles --histogram 'METER high,accel_x'")
    XCTAssertTrue(said.contains("METER high: "), said)
    XCTAssertTrue(said.contains("imu: "), said)
    XCTAssertTrue(said.contains("p99.9"), said)
  }

  func testJSON() throws {
    try writeLine()
    let text = try runShell("$SLUICE info irq.csv --intervals=1ms --percentiles --histogram 'irq high,irq.irq' --json")
    let parsed = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    let stream = try XCTUnwrap((parsed[0]["streams"] as? [[String: Any]])?.first)
    let intervals = try XCTUnwrap(stream["intervals"] as? [[String: Any]])
    XCTAssertEqual(intervals.map { $0["name"] as? String }, ["irq rising", "irq high", "irq low"])
    XCTAssertEqual(intervals[0]["count"] as? Int, 999)
    XCTAssertEqual(intervals[0]["period_ns"] as? Double, 1e6)
    XCTAssertEqual(intervals[0]["outside"] as? Int, 3)
    XCTAssertEqual((intervals[0]["percentiles_ns"] as? [String: Double])?["p100"], 4e6)
    XCTAssertEqual((intervals[0]["percentiles_ns"] as? [String: Double])?["error"], 1.0 / 4_096)
    XCTAssertEqual((intervals[0]["worst"] as? [[String: Any]])?.first?["length_ns"] as? Int, 4_000_000)
    XCTAssertEqual((intervals[0]["worst"] as? [[String: Any]])?.first?["after_reading"] as? Int, 1_198)
    let histograms = try XCTUnwrap(parsed[0]["histograms"] as? [[String: Any]])
    XCTAssertEqual(histograms.map { $0["name"] as? String }, ["irq high", "irq.irq"])
    let counts = try XCTUnwrap((histograms[0]["histogram"] as? [String: Any])?["counts"] as? [Int])
    XCTAssertEqual(counts.reduce(0, +), 1_000)
    let channel = try XCTUnwrap((stream["channels"] as? [[String: Any]])?.first)
    XCTAssertEqual((channel["percentiles"] as? [String: Double])?["p50"], 0)
  }

  func testAHistogramThatIsNotThere() throws {
    try writeLine()
    XCTAssertTrue(try run("info irq.csv --histogram irq.irg", status: 1).contains("did you mean \"irq.irq\"?"))
  }

  func testTooManyChannels() throws {
    let wires = (0..<65).map { "$var wire 1 w\($0) c\($0) $end\n" }.joined()
    try write("wide.vcd", "$timescale 1 us $end\n\(wires)$enddefinitions $end\n#0\n1w3\n#5\n0w3\n#9\n1w3\n")
    XCTAssertTrue(try run("info wide.vcd --percentiles", status: 1).contains("name some with --select"))
    XCTAssertTrue(try run("info wide.vcd --intervals --select c3").contains("c3 rising: 1 interval"))
  }
}
