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
      XCTAssertTrue(said.contains("m goes on at 107.5 l (15 pulses), as "), said)
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
      kill(started.process.processIdentifier, SIGKILL)
      _ = end(started)
      let before = try totals(output.path)
      let count = try XCTUnwrap(before.last?.count)
      let said = try run("\(record) --append --count 10")
      XCTAssertTrue(said.contains("m goes on at \(2 * count) Wh (\(count) pulses), the last row of "), said)
      XCTAssertTrue(
        said.contains("it is at least that, and may be short by up to 1 row that --every left out"), said)
      XCTAssertEqual(try totals(output.path).map(\.count).dropFirst(before.count).first, count + 1, output.path)
      // Also after a run that ended.
      let third = try run("\(record) --append --count 10")
      XCTAssertTrue(third.contains("it is at least that, because an earlier run was cut off"), third)
      try run("replay \(output.path) -q -o all.jsonl --force")
      if output.path == "e.jsonl" {
        let flagged = try rows("all.jsonl").map { $0.contains("at_least") }
        XCTAssertEqual(flagged, flagged.indices.map { $0 >= before.count })
      }
    }
  }

  func testAPosition() throws {
    let said = try run(
      "record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --count 40 --quadrature knob=a,b,start=1000 -o e.csv")
    XCTAssertTrue(said.contains("written"), said)
    let last = try rows("e.csv").last?.split(separator: ",", omittingEmptySubsequences: false)[1]
    let next = try run(
      "record a=sim:meter@500,seed=1 b=sim:meter@500,seed=2 --count 40 --quadrature knob=a,b,start=1000 -o e.csv --append"
    )
    XCTAssertTrue(next.contains("knob goes on at position \(last ?? ""), as e.csv ended"), next)
  }

  func testAStartThatIsNone() throws {
    for setting in ["0.5:l,start=", "0.5:l,start=x", "0.5,start=nan"] {
      XCTAssertTrue(try run("record m=sim:meter --pulses \(setting) -o e.csv", status: 64).contains("--pulses takes"))
    }
    XCTAssertTrue(
      try run("replay in.csv --pulses 0.000000000001,start=9223372036854775807 -o e.csv", status: 1).contains("in.csv"))
  }
}
