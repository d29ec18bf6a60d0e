import XCTest

final class StandardStreamsTests: CommandTestCase {
  func testAClosedOneIsAnError() throws {
    try write("in.csv", "time_ns,x\n0,1\n")
    let output = try runShell("$SLUICE replay in.csv -o - >&-", status: 1)
    XCTAssertTrue(output.contains("cannot write standard output: bad file descriptor"), output)
    let input = try runShell("$SLUICE convert - -o out.csv <&-", status: 1)
    XCTAssertTrue(input.contains("cannot read standard input: bad file descriptor"), input)
    XCTAssertEqual(try runShell("$SLUICE replay in.csv -o out.csv <&- >&- 2>&-"), "")
    XCTAssertEqual(try rows("out.csv"), ["time_ns,x", "0,1"])
  }

  func testAnotherNameOfStandardOutput() throws {
    try write("in.csv", "time_ns,x\n0,1\n")
    XCTAssertEqual(try runShell("$SLUICE replay in.csv -q -o /dev/stdout | cat"), "time_ns,x\n0,1\n")
    let said = try runShell(
      "ln -s other.csv link.csv; echo 1 >other.csv; $SLUICE replay in.csv -q -o link.csv", status: 1)
    XCTAssertTrue(said.contains("cannot write link.csv: file exists"), said)
  }

  /// A name from a file could send them to the terminal.
  func testNoControlCharactersAreShown() throws {
    try write("a.jsonl", #"{"time_ns": 0, "stream": "a\u001b[31mX", "values": {"x": 1}}"# + "\n")
    for arguments in ["info a.jsonl", "diff a.jsonl a.jsonl", "replay a.jsonl --select q -o out.csv"] {
      XCTAssertFalse(try runShell("$SLUICE \(arguments) 2>&1 || true").contains("\u{1b}"), arguments)
    }
    XCTAssertTrue(try run("info a.jsonl").contains("a?[31mX"))
  }
}
