import Foundation
import XCTest

/// `é`, and `e` with a combining accent: for Swift's `String` they are equal.
final class LookalikeNamesTests: CommandTestCase {
  private let lines = [
    "{\"time_ns\":1,\"stream\":\"s\",\"values\":{\"\u{e9}\":1,\"e\u{301}\":2}}",
    "{\"time_ns\":2,\"stream\":\"\u{e9}\",\"values\":{\"x\":1}}",
    "{\"time_ns\":3,\"stream\":\"e\u{301}\",\"values\":{\"x\":2}}",
  ]

  /// Into each format and back.
  func testTheyAreDifferentStreamsAndChannels() throws {
    try write("in.jsonl", lines.joined(separator: "\n") + "\n")
    for output in [
      "a.csv", "b.csv --layout wide", "c.db", "d.vcd", "e.jsonl", "f/", "g/ --format vcd", "h.csv --rotate 1s",
    ] {
      let path = String(output.prefix { $0 != " " })
      try run("convert in.jsonl -o \(output)")
      XCTAssertTrue(try run("diff in.jsonl \(path)").contains("are the same: 3 readings of 3 streams"), output)
      try run("verify \(path)")
      let rows = try run("replay \(path) -q --format jsonl -o -").split(separator: "\n").map(String.init)
      XCTAssertEqual(rows.map { Array($0.utf8) }, lines.map { Array($0.utf8) }, output)
    }
  }

  func testAForeignFileHasBoth() throws {
    try write("in.jsonl", "{\"time\":1,\"\u{e9}\":1,\"e\u{301}\":2}\n")
    XCTAssertEqual(try run("replay in.jsonl --time-unit s -q -o -").split(separator: "\n").last, "1000000000,1,2")
  }

  func testASelectionTakesOne() throws {
    try write("in.jsonl", lines.joined(separator: "\n") + "\n")
    XCTAssertEqual(try run("replay in.jsonl -q --select e\u{301} -o -").split(separator: "\n").last, "3,2")
  }

  /// The rows of each stream: its name, as bytes, and its values.
  private func rows(of path: String) throws -> [[UInt8]: [[String: Double]]] {
    try run("replay \(path) -q -o all.jsonl --force")
    var rows: [[UInt8]: [[String: Double]]] = [:]
    for line in try self.rows("all.jsonl") {
      let row = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let values = try XCTUnwrap(row["values"] as? [String: Any]).compactMapValues { $0 as? Double }
      rows[Array(try XCTUnwrap(row["stream"] as? String).utf8), default: []].append(values)
    }
    return rows
  }

  func testEachGoesOnWithItsOwnTotal() throws {
    let amounts = [(Array("\u{e9}".utf8), 2.0), (Array("e\u{301}".utf8), 5.0)]
    for output in ["a.csv", "b.jsonl", "c/", "d.csv --rotate 1h"] {
      for seed in [1, 3] {
        try run(
          "record \u{e9}=sim:meter@500,seed=\(seed) e\u{301}=sim:meter@250,seed=5 --count 90 --append -o \(output) -q"
            + " --pulses \u{e9}=2:Wh --pulses e\u{301}=5:Wh")
      }
      let path = output.hasPrefix("d") ? "d.csv" : output
      let said = try run("info \(path)")
      for (name, amount) in amounts {
        let rows = try XCTUnwrap(rows(of: path)[name], output)
        XCTAssertEqual(rows.map { $0["count"] }, rows.indices.map { Double($0 + 1) }, output)
        XCTAssertEqual(rows.last?["total"], amount * Double(rows.count), output)
        XCTAssertTrue(said.contains("is \(Int(amount) * rows.count) Wh"), said)
      }
    }
  }

  /// The rows of one would be taken as those of the other, so that no run would end.
  func testEachIsFlaggedAfterARestart() throws {
    for _ in 1...2 { try run("record \u{e9}=timer:1ms e\u{301}=timer:1ms --count 20 --append -q -o a.csv") }
    try run("replay a.csv -q -o a.jsonl")
    let flagged = try rows("a.jsonl").filter { $0.contains("restart") }
    XCTAssertEqual(flagged.count, 2, "\(flagged)")
    XCTAssertEqual(Set(flagged.map { Array($0.utf8).contains(0xcc) }).count, 2, "\(flagged)")
    // A row of the first stream becomes one of the second.
    var changed = try rows("a.csv")
    let index = try XCTUnwrap(changed.firstIndex { Array($0.utf8).contains(0xc3) })
    let cells = changed[index].split(separator: ",")
    changed[index] = "\(cells[0]),e\u{301},\(cells[2]),\(cells[3])"
    try write("a.csv", changed.joined(separator: "\n") + "\n")
    XCTAssertTrue(try run("verify a.csv", status: 1).contains("problem  account"))
  }
}
