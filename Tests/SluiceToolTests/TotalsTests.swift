import Foundation
import XCTest

/// A total goes on where the last run of the recording ended.
final class TotalsTests: CommandTestCase {
  private var outputs: [(options: String, path: String)] {
    #if SLUICE_SQLITE
      [("-o e.csv", "e.csv"), ("-o e.jsonl", "e.jsonl"), ("-o e.db", "e.db"), ("-o p/e.csv --rotate 50ms", "p")]
    #else
      [("-o e.csv", "e.csv"), ("-o e.jsonl", "e.jsonl"), ("-o p/e.csv --rotate 50ms", "p")]
    #endif
  }

  /// Counts and totals of all rows.
  private func totals(_ path: String) throws -> [(count: Int, total: String)] {
    try run("replay \(path) -q -o all.csv --force")
    return try rows("all.csv").dropFirst().map { row in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      return (Int(cells[1]) ?? -1, String(cells[2]))
    }
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/p", withIntermediateDirectories: true)
  }

  func testACleanEnd() throws {
    try makeFolder()
    for output in outputs {
      try run("record m=sim:meter@500,seed=1 --count 30 --pulses 0.5:l,start=100 \(output.options)")
      let said = try run("record m=sim:meter@500,seed=2 --count 30 --pulses 0.5:l,start=100 --append \(output.options)")
      XCTAssertTrue(said.contains("m goes on at 107.5 l (15 pulses), from the end of "), said)
      let totals = try totals(output.path)
      XCTAssertEqual(totals.map(\.count), Array(1...30), output.path)
      XCTAssertEqual(totals.last?.total, "115.0", output.path)
    }
  }

  func testInfoAndVerifySayWhereATotalStands() throws {
    try run("record m=sim:meter@500,seed=1 --count 30 --pulses 0.5:l,start=100 -o e.csv")
    XCTAssertTrue(try run("info e.csv").contains("\ntotals: m is 107.5 l\n"))
    XCTAssertTrue(try run("verify e.csv").contains("ok  totals    e.csv: m is 107.5 l\n"))
    let started = try start("record m=sim:meter@500,seed=1 --pulses 0.5:l -q --append -o e.csv")
    waitUntil("some rows") { (try? rows("e.csv").count) ?? 0 > 20 }
    kill(started.process.processIdentifier, SIGKILL)
    _ = end(started)
    try run("record m=sim:meter@500,seed=1 --count 30 --pulses 0.5:l --append -o e.csv")
    let total = try XCTUnwrap(try rows("e.csv").last).split(separator: ",")[2]
    let sentence = "m is at least \(total) l, because a run was cut off\n"
    for command in ["info", "verify"] { XCTAssertTrue(try run("\(command) e.csv").contains(sentence), sentence) }
    let info = try JSONSerialization.jsonObject(with: Data(run("info --json e.csv").utf8)) as? [[String: Any]]
    let totals = try XCTUnwrap(info?[0]["totals"] as? [[String: Any]])
    XCTAssertEqual(totals.map { $0["at_least"] as? Bool }, [true])
    XCTAssertEqual((totals[0]["values"] as? [String: Any])?["total"] as? Double, Double(total))
  }

  /// The parts of a run that nobody cut off say nothing else.
  func testTheTotalOfAPartIsNotThatOfARunThatWasCutOff() throws {
    try makeFolder()
    for _ in 1...2 {
      try run("record m=sim:meter@500,seed=1 --count 200 --pulses 2:Wh --rotate 50ms --append -q -o p/e.csv")
    }
    let parts = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/p").filter { $0.hasSuffix(".csv") }
    XCTAssertGreaterThan(parts.count, 3)
    let said = try run("verify p")
    XCTAssertFalse(said.contains("at least") || said.contains("cut off"), said)
    XCTAssertTrue(said.contains("m was, when the next part began, "), said)
    XCTAssertTrue(said.contains("m is 400 Wh\n"), said)
    XCTAssertTrue(try run("info p").contains("\ntotals: m is 400 Wh\n"))
  }

  /// Rows that a stage has left out are in the total of the metadata.
  func testACleanEndOfThinnedRows() throws {
    for _ in 1...3 { try run("record m=sim:meter@500,seed=1 --count 20 --pulses 1 --every 7 -o e.csv --append") }
    let said = try run("record m=sim:meter@500,seed=1 --count 1 --pulses 1 -o e.csv --append")
    XCTAssertTrue(said.contains("m goes on at 30 (30 pulses)"), said)
  }

  func testAKill() throws {
    try makeFolder()
    for output in outputs {
      let record = "record m=sim:meter@500,seed=1 --pulses 2:Wh --every 2 \(output.options)"
      let started = try start(record)
      waitUntil("some rows") {
        guard let replay = try? start("replay \(output.path) -q -o all.csv --force"), end(replay).status == 0 else {
          return false
        }
        return (try? rows("all.csv").count) ?? 0 > 4
      }
      // Between two parts no part is open.
      waitUntil("a moment with an open part") {
        kill(started.process.processIdentifier, SIGSTOP)
        guard output.path == "p", let newest = try? names(in: "p").filter({ $0.hasSuffix("json") }).max(),
          (try? isUnfinished("p/\(newest.dropLast("-metadata.json".count))")) != true
        else { return true }
        kill(started.process.processIdentifier, SIGCONT)
        return false
      }
      kill(started.process.processIdentifier, SIGKILL)
      _ = end(started)
      let before = try totals(output.path)
      let count = try XCTUnwrap(before.last?.count)
      let said = try run("\(record) --append --count 10").filter { $0 != "," }
      // A part knows more than its rows if some did not come to the disk.
      let pulses = try XCTUnwrap(
        said.split(separator: " Wh (").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) })
      XCTAssertTrue(output.path == "p" ? pulses >= count : pulses == count, said)
      XCTAssertTrue(said.contains("m goes on at \(2 * pulses) Wh (\(pulses) pulse"), said)
      XCTAssertTrue(
        said.contains("it is at least that and may lack up to 1 row that --every left out"), said)
      XCTAssertEqual(try totals(output.path).map(\.count).dropFirst(before.count).first, pulses + 1, output.path)
      // Also after a run that ended.
      let third = try run("\(record) --append --count 10")
      XCTAssertTrue(third.contains("; an earlier run was cut off, so it is at least that"), third)
      try run("replay \(output.path) -q -o all.jsonl --force")
      if output.path == "e.jsonl" {
        let flagged = try rows("all.jsonl").map { $0.contains("at_least") }
        XCTAssertEqual(flagged, flagged.indices.map { $0 >= before.count })
      }
    }
  }

  /// Each file of a folder has the total of its own stream.
  func testEachFileOfAFolder() throws {
    let record =
      "record a=sim:meter@300,seed=1 b=sim:meter@300,seed=2 --count 40 --pulses a=0.5:l --pulses b=2:Wh -o d/"
    try run(record)
    let last = try ["a", "b"].map { try XCTUnwrap(rows("d/\($0).csv").last) }.map(count)
    let said = try run("\(record) --append")
    for (index, name) in ["a", "b"].enumerated() {
      XCTAssertTrue(said.contains("\(name) goes on at "), said)
      let counts = try rows("d/\(name).csv").dropFirst().map(count)
      XCTAssertEqual(counts, Array(1...counts.count))
      XCTAssertGreaterThan(counts.count, last[index])
    }
  }

  /// A run that was killed before its first pulse does not lose what the runs before it have counted.
  func testAKillBeforeTheFirstPulse() throws {
    let stages = "--pulses 0.5:l --every 100 -o e.csv"
    try run("record m=sim:meter@500,seed=1 --count 60 \(stages)")
    try killed("record m=sim:meter@0.001 \(stages) --append") { try self.isUnfinished("e.csv") }
    let said = try run("record m=sim:meter@500,seed=1 --count 10 \(stages) --append")
    XCTAssertTrue(
      said.contains("m goes on at 15.0 l (30 pulses), from the start of the last run of e.csv"), said)
    XCTAssertTrue(said.contains("it is at least that"), said)
    let next = try run("record m=sim:meter@500,seed=1 --count 10 \(stages) --append")
    XCTAssertTrue(
      next.contains(
        "m goes on at 17.5 l (35 pulses), from the end of e.csv; an earlier run was cut off, so it is at least that"),
      next)
  }

  /// The newest part may have no row of a stream.
  func testAKillInAPartWithoutAPulse() throws {
    let options = "--pulses 1 --rotate 50ms -o e.csv"
    try run("record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --count 60 \(options)")
    let parts = Set(try names())
    try killed("record a=sim:meter@0.001 b=sim:meter@300,seed=2 \(options) --append") {
      try Set(self.names()).subtracting(parts).filter { $0.hasSuffix(".csv") }.count > 3
    }
    let said = try run("record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --count 60 \(options) --append")
    XCTAssertTrue(said.contains("a goes on at "), said)
    try run("replay e.csv -q --select a --layout wide -o all.csv --force")
    let counts = try rows("all.csv").dropFirst().map(count)
    XCTAssertEqual(counts, Array(1...counts.count))
  }

  /// The first part follows the file.
  func testAFileThatGoesOnInParts() throws {
    try run("record m=sim:meter@500,seed=1 --count 30 --pulses 0.5:l -o e.csv")
    let said = try run("record m=sim:meter@500,seed=2 --count 30 --pulses 0.5:l -o e.csv --append --rotate 1h")
    XCTAssertTrue(said.contains("m goes on at 7.5 l (15 pulses), from the end of e.csv"), said)
  }

  /// The clock is behind the last row, so the run gets a part of its own.
  func testAPartOfItsOwn() throws {
    try run("record m=sim:meter@500,seed=1 --count 30 --pulses 0.5:l -o e.csv")
    try runShell("printf '4000000000000000000,16,8.0,\\n' >> e.csv")
    let said = try run("record m=sim:meter@500,seed=2 --count 30 --pulses 0.5:l -o e.csv --append")
    XCTAssertTrue(said.contains("the run gets a part of its own"), said)
    XCTAssertTrue(said.contains("m goes on at 7.5 l (15 pulses), from the end of e.csv"), said)
  }

  /// What stages behind it write is not the total.
  func testAKillWithChangedRows() throws {
    for (number, stages) in [
      "--scale total=0.001,m3", "--decimals 0", "--reduce 20ms:max", "--scale m.total=2 --decimals 1",
    ].enumerated() {
      let record = "record m=sim:meter@500,seed=1 --pulses 0.25:l,start=100 \(stages) -o \(number).csv"
      try killed(record) { try self.rows("\(number).csv").count > 5 }
      let said = try run("\(record) --append --count 10")
      let text = try XCTUnwrap(said.split(separator: "m goes on at ").last?.prefix { $0 != ")" })
      let words = text.split { " (".contains($0) }
      let (total, count) = (try XCTUnwrap(Double(words[0])), try XCTUnwrap(Int(words[2])))
      XCTAssertGreaterThan(count, 4, said)
      XCTAssertEqual(total, 100 + 0.25 * Double(count), said)
      XCTAssertTrue(said.contains("; start=100 is only for a new recording"), said)
    }
    let record = "record m=sim:meter@500,seed=1 --pulses 0.25:l --reduce 20ms:mean -o mean.csv"
    try run("\(record) --count 20")
    try killed("\(record) --append") { try self.rows("mean.csv").count > 9 }
    let said = try run("\(record) --append --count 10")
    XCTAssertTrue(said.contains("m goes on at 2.50 l (10 pulses), from the start of the last run of mean.csv"), said)
    XCTAssertTrue(said.contains("may lack all that this run counted, because its rows do not have the count"), said)
  }

  func testATotalThatCannotGoOn() throws {
    try run("record m=sim:meter@500,seed=1 --count 20 --pulses 1,start=9000000000000000000 -o e.csv")
    let said = try run("record m=sim:meter@500,seed=1 --count 20 --pulses 0.1,start=5 -o e.csv --append")
    XCTAssertTrue(said.contains("m cannot go on at 9000000000000000010 (10 pulses)"), said)
    XCTAssertTrue(said.contains("it begins at 5"), said)
  }

  private func count(_ row: String) -> Int {
    Int(row.split(separator: ",", omittingEmptySubsequences: false)[1]) ?? -1
  }

  private func names(in place: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)")
  }

  private func isUnfinished(_ path: String) throws -> Bool {
    try String(contentsOfFile: "\(folder)/\(path)-metadata.json", encoding: .utf8).contains(#""unfinished""#)
  }

  /// Kills a recording as soon as the condition is true.
  private func killed(_ arguments: String, when condition: () throws -> Bool) throws {
    let started = try start(arguments)
    waitUntil("what is to be killed") { (try? condition()) ?? false }
    kill(started.process.processIdentifier, SIGKILL)
    _ = end(started)
  }

  func testAPosition() throws {
    // Under load, the first readings may all be of one line.
    let said = try run(
      "record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --count 400 --quadrature knob=a,b,start=1000 -o e.csv")
    XCTAssertTrue(said.contains("written"), said)
    let last = try rows("e.csv").last?.split(separator: ",", omittingEmptySubsequences: false)[1]
    let next = try run(
      "record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --count 400 --quadrature knob=a,b,start=1000 -o e.csv --append"
    )
    XCTAssertTrue(next.contains("knob goes on at position \(last ?? ""), from the end of e.csv"), next)
    try killed(
      "record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --quadrature knob=a,b -o e.csv --append"
    ) { try self.isUnfinished("e.csv") }
    let third = try run(
      "record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --count 4 --quadrature knob=a,b -o e.csv --append")
    XCTAssertTrue(third.contains("cut off, so it may be off, because later steps are missing"), third)
  }

  func testAStartThatIsNone() throws {
    for setting in ["0.5:l,start=", "0.5:l,start=x", "0.5,start=nan"] {
      XCTAssertTrue(try run("record m=sim:meter --pulses \(setting) -o e.csv", status: 64).contains("--pulses takes"))
    }
    XCTAssertTrue(
      try run("replay in.csv --pulses 0.000000000001,start=9223372036854775807 -o e.csv", status: 1).contains("in.csv"))
  }
}
