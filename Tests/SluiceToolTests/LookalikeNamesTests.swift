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
}
