import Foundation
import XCTest

/// A recording that is appended to on a machine whose clock is behind the last row.
final class ContinuedTests: CommandTestCase {
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.contains("metadata") }.sorted()
  }

  func testARunWhoseClockIsBehindGetsAPart() throws {
    for (name, row) in [
      ("t.csv", "time_ns,timer 1ms\n4000000000000000000,1\n"),
      ("t.jsonl", "{\"time_ns\":4000000000000000000,\"stream\":\"timer 1ms\",\"values\":{\"ticks\":1}}\n"),
    ] {
      try write(name, row)
      let said = try run("record timer:1ms --count 3 --append -o \(name)")
      XCTAssertTrue(said.contains("the last row of \(name) is of 2096-10-02T07:06:40.000Z"), said)
      XCTAssertEqual(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8), row)
      let stem = "t.000001."
      let part = try XCTUnwrap(names.first { $0.hasPrefix(stem) && $0.hasSuffix(name.dropFirst(1)) }, "\(names)")
      XCTAssertEqual(try rows(part).count, name == "t.csv" ? 4 : 3)
      // The clock is right again: it goes on behind these rows.
      let again = try run("record timer:1ms --count 2 --append -o \(name)")
      XCTAssertTrue(again.contains("\(name) goes on in its newest part, \(part)"), again)
      XCTAssertEqual(try rows(part).count, name == "t.csv" ? 6 : 5)
      // In the order in which they were written.
      try FileManager.default.createDirectory(atPath: "\(folder)/d-\(name)", withIntermediateDirectories: false)
      try runShell("mv t.* d-\(name)/")
      try run("replay d-\(name) -o all-\(name)")
      XCTAssertEqual(try rows("all-\(name)").count, name == "t.csv" ? 7 : 6)
      XCTAssertTrue(try rows("all-\(name)")[name == "t.csv" ? 1 : 0].contains("4000000000000000000"))
    }
  }

  func testFilesOfAFolderGoOnTogether() throws {
    try run("record timer:1ms timer:2ms --count 4 -o d/")
    try runShell("printf '4000000000000000000,9\\n' >> 'd/timer_1ms.csv'")
    let said = try run("record timer:1ms timer:2ms --count 4 --append -o d")
    XCTAssertTrue(said.contains("the run gets a part of its own"), said)
    try run("record timer:1ms timer:2ms --count 4 --append -o d")
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/d").filter { $0.hasSuffix("Z.csv") }
    XCTAssertGreaterThanOrEqual(files.count, 3, "\(files)")
    XCTAssertTrue(files.contains { $0.hasPrefix("timer_1ms.000002.") }, "\(files)")
  }

  func testATraceIsAppendedWhateverItsTimes() throws {
    try write("in.csv", "time_ns,x\n5,1\n")
    try write("out.csv", "time_ns,x\n4000000000000000000,1\n")
    try run("replay in.csv --append -o out.csv")
    XCTAssertEqual(try rows("out.csv").count, 3)
  }

  /// Its newest part says what its streams are.
  func testFurtherPartsHaveTheSameStreams() throws {
    try run("record timer:1ms --count 3 --rotate 1h -o t.csv")
    let said = try run("record timer:2ms --count 3 --rotate 1h --append -o t.csv", status: 1)
    XCTAssertTrue(said.contains("by its metadata it holds timer 1ms, not timer 2ms"), said)
  }

  /// The row of a window has the time of its end, which is later than the stop.
  func testAWindowThatWasCutGoesOnInTheSameFile() throws {
    for stage in ["--reduce 10000h:mean", "--resample 10000h", "--resample 10000h:last"] {
      for _ in 1...3 { try run("record a=sim:imu@200,gaps=0 \(stage) --count 20 -o w.csv --append") }
      XCTAssertEqual(try rows("w.csv").count, 4, stage)
      try runShell("rm w.*")
    }
    for _ in 1...3 { try run("record a=sim:meter@200 --frequency-of 10000h --count 20 -o w.csv --append") }
    XCTAssertEqual(try rows("w.csv").count, 4)
  }

  /// A source without a device has its settings in its name.
  func testAnotherPeriodOfATimer() throws {
    try run("record timer:1ms --count 3 -o t.csv")
    let said = try run("record timer:2ms --count 3 --append -o t.csv", status: 1)
    XCTAssertTrue(said.contains("give timer 2ms its earlier name, 'timer 1ms'=KIND:WHAT, or write to"), said)
    try runShell("$SLUICE record 'timer 1ms'=timer:2ms --count 3 --append -o t.csv")
    XCTAssertEqual(try rows("t.csv").count, 7)
  }
}
