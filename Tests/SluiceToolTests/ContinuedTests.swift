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

  /// Another period, a channel more, a stream more: each part says what its streams are, and all are read together.
  func testAPartMayHaveOtherStreams() throws {
    for name in ["t.csv", "t.jsonl", "d/t.csv"] {
      try? FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: false)
      let record = "record --rotate 1h --append -o \(name) --count"
      try run("\(record) 3 timer:1ms")
      let said = try run("\(record) 3 timer:2ms")
      XCTAssertTrue(
        said.contains(": it holds timer 1ms, not timer 2ms, so the run begins a part with its own streams"), said)
      try run("\(record) 3 x=sim:imu@200 --select x.accel_x -q")
      try run("\(record) 6 x=sim:imu@200 timer:2ms -q")
      try run("\(record) 2 timer:2ms -q")
      let checked = try run("verify \(name)")
      XCTAssertFalse(checked.contains("problem") || checked.contains("warning"), checked)
      try run("replay \(name) -q --force --layout long -o all.csv")
      // A channel that a part does not have is empty.
      let rows = try rows("all.csv").map { $0.split(separator: ",").map(String.init) }.filter { $0.count == 4 }
      func count(_ stream: String, _ channel: String) -> Int { rows.count { $0[1] == stream && $0[2] == channel } }
      XCTAssertEqual(count("timer 1ms", "tick"), 3, name)
      XCTAssertEqual(count("timer 2ms", "tick") + count("x", "accel_y"), 11, name)
      XCTAssertEqual(count("x", "accel_x"), count("x", "accel_y") + 3, name)
    }
  }

  /// The streams of all parts are one trace, in which a channel has one meaning.
  func testAPartMayNotHaveAnotherUnit() throws {
    let record = "record x=sim:imu@200 --select x.accel_x --count 3 --rotate 1h --append -o t.csv"
    try run(record)
    try run("record timer:1ms --count 3 --rotate 1h --append -o t.csv")
    let said = try run("\(record) --scale x.accel_x=1,0,g", status: 1)
    XCTAssertTrue(said.contains("channel \"accel_x\" of \"x\" has the unit g, and m/s^2 in t.000001."), said)
    XCTAssertTrue(said.contains("; give the stream another name, NAME=KIND:WHAT, or write to another file"), said)
    XCTAssertTrue(try run("\(record) --raw", status: 1).contains("stream \"x\" is raw, and scaled in t.000001."))
    try run("record g=sim:imu@200 --select g.accel_x --count 3 --rotate 1h --append -o t.csv --scale g.accel_x=1,0,g")
    XCTAssertFalse(try run("verify t.csv").contains("problem"))
  }

  /// The part before is repaired with its own header.
  func testAPartWithOtherStreamsAfterAKill() throws {
    for (first, second) in [("wide", "wide"), ("long", "wide"), ("wide", "long")] {
      let started = try start("record x=sim:imu@1000 --rotate 1h --layout \(first) -q -o t.csv")
      func part() throws -> String? {
        try FileManager.default.contentsOfDirectory(atPath: folder)
          .first { $0.hasPrefix("t.000001.") && $0.hasSuffix(".csv") }
      }
      waitUntil("rows are written") { (try? part().map { try rows($0).count > 20 } ?? false) ?? false }
      kill(started.process.processIdentifier, SIGKILL)
      _ = end(started)
      let name = try XCTUnwrap(part())
      let file = try XCTUnwrap(FileHandle(forWritingAtPath: "\(folder)/\(name)"))
      try file.seekToEnd()
      try file.write(contentsOf: Data("17952729,to".utf8))
      try file.close()
      let said = try run("record y=timer:1ms --count 3 --rotate 1h --layout \(second) --append -o t.csv")
      // The kill may have cut a reading off, too.
      XCTAssertTrue(said.contains("\(name): cut off ") && said.contains("1 torn row"), said)
      let checked = try run("verify t.csv")
      XCTAssertFalse(checked.contains("problem") || checked.contains("warning"), checked)
      XCTAssertTrue(checked.contains("the last run was killed; repaired "), checked)
      try runShell("rm t.*")
    }
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
    XCTAssertTrue(
      said.contains(
        "; give --rotate, such as --rotate 24h, for a part with its own streams, or give timer 2ms its earlier name, "
          + "'timer 1ms'=KIND:WHAT, or write to another file"), said)
    try runShell("$SLUICE record 'timer 1ms'=timer:2ms --count 3 --append -o t.csv")
    XCTAssertEqual(try rows("t.csv").count, 7)
  }
}
