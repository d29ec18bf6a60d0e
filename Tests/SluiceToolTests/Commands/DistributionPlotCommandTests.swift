import Foundation
import XCTest

/// `sluice plot` with `--histogram`, `--xy`, `--steps` and times of day.
final class DistributionPlotCommandTests: CommandTestCase {
  private func writeCircle() throws {
    let rows = (0..<400).map { index in
      "\(index * 1_000_000),\(cos(Double(index) / 20)),\(sin(Double(index) / 20)),\(index / 100 % 2)\n"
    }
    try write("c.csv", "time_ns,a (m),b (m),door\n" + rows.joined())
  }

  private func picture(_ name: String) throws -> String {
    let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    return text
  }

  func testHistogram() throws {
    try writeCircle()
    let text = try runShell("$SLUICE plot c.csv --histogram 'a (m),door low'")
    XCTAssertTrue(text.contains("histogram of c.a (m):"), text)
    XCTAssertTrue(text.contains("histogram of door low:"), text)
    try runShell("$SLUICE plot c.csv --histogram 'a (m),door low' -o h.svg")
    let svg = try picture("h.svg")
    XCTAssertTrue(svg.contains("class=\"bar\""), svg)
    XCTAssertTrue(svg.contains("door low, ms"), svg)
    XCTAssertTrue(
      try runShell("$SLUICE plot c.csv --histogram door --size 200x60 -o s.svg", status: 64).contains("too small"))
    XCTAssertTrue(try run("plot c.csv --histogram doof", status: 1).contains("nothing called \"doof\""))
  }

  func testXY() throws {
    try writeCircle()
    let text = try run("plot c.csv --xy a,b")
    XCTAssertTrue(text.hasPrefix("c.csv\n400 points\n"), text)
    XCTAssertTrue(text.contains("b, m") && text.contains("a, m"), text)
    try run("plot c.csv --xy a,b -o xy.svg --size 400")
    let svg = try picture("xy.svg")
    XCTAssertTrue(svg.contains("class=\"dots l0\""), svg)
    XCTAssertTrue(svg.contains("height=\"300\""), svg)
    XCTAssertTrue(try run("plot c.csv --xy a,q", status: 1).contains("no stream or channel \"q\""))
    XCTAssertTrue(try run("plot c.csv --xy a", status: 64).contains("two channels"))
    XCTAssertTrue(try run("plot c.csv --xy a,b --time utc", status: 64).contains("leave out --xy"))
  }

  /// Channels of different streams: each reading is paired with the last value of the other.
  func testXYOfTwoStreams() throws {
    try run("record A=sim:imu@100,seed=3 B=sim:meter@100,seed=3 --count 100 -o t.csv")
    XCTAssertTrue(try run("plot t.csv --xy accel_x,B").contains("points"))
  }

  func testSteps() throws {
    try write("m.csv", "time_ns,x\n0,1\n1000,2\n2000,3\n")
    try run("plot m.csv -o slope.svg")
    try run("plot m.csv --steps -o steps.svg")
    func path(_ name: String) throws -> String {
      let line = try picture(name).split(separator: "\n").first { $0.hasPrefix("<path class=\"v l0\"") }
      return String(try XCTUnwrap(line))
    }
    XCTAssertTrue(try path("slope.svg").contains("l"))
    let d = try XCTUnwrap(try path("steps.svg").components(separatedBy: " d=\"").last)
    XCTAssertFalse(d.contains("l"), "only horizontal and vertical lines: \(d)")
    XCTAssertNotEqual(try run("plot m.csv --steps"), try run("plot m.csv"))
  }

  func testTheLastSeconds() throws {
    let start = 1_700_000_000
    try write("t.csv", "time_s,x\n" + (0..<100).map { "\(start + $0),\($0)\n" }.joined())
    XCTAssertTrue(try run("plot t.csv --from -10s").contains("11 readings in"))
    XCTAssertTrue(try run("plot t.csv --from -10s --duration 5s").contains("6 readings in"))
    XCTAssertTrue(try run("plot t.csv --from -20s --to -10s").contains("11 readings in"))
    // 1700000000 is 22:13:20 UTC.
    XCTAssertTrue(try run("plot t.csv --from 22:14 --duration 10s").contains("11 readings in"))
    XCTAssertTrue(try runShell("cat t.csv | $SLUICE plot - --from -10s", status: 64).contains("its end is not known"))
    XCTAssertTrue(try run("info t.csv --from -10s", status: 64).contains("only plots over time take"))
  }
}
