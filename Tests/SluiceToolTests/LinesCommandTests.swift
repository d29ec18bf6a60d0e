import XCTest

/// Lines of text through the command.
final class LinesCommandTests: CommandTestCase {
  /// What a recording of lines has written and what a replay of the same lines writes are the same bytes.
  func testARecordingAndAReplayGiveTheSameBytes() throws {
    let numbers = 0..<300
    func time(_ row: Int) -> String { "17000000\(10 + row / 10).\(row % 10)" }
    func sentence(_ text: String) -> String {
      let sum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return "$\(text)*\(sum.count < 2 ? "0" : "")\(sum)"
    }
    let logs: [(form: String, lines: [String])] = [
      ("time=t:s", ["t,a (V),b"] + numbers.map { "\(time($0)),\($0).5,\($0 * 7)" }),
      ("time=t:s", numbers.map { "t:\(time($0)) a:\($0) b:-\($0).25" }),
      ("time=t:s", numbers.map { "a=\($0) t=\(time($0))" }),
      ("time=t:s", numbers.map { #"{"t":\#(time($0)),"w":{"x":\#($0)}}"# }),
      ("time=time", numbers.map { "m\($0 % 3),k=v a=\($0),b=\($0)i 17000000\(1_000 + $0)0000000" }),
      ("as=numbers,names=t+a,time=1:s", numbers.map { "at \(time($0)): \($0) C" }),
      (#"time=t:s,match=(?<t>\d+\.\d) is (?<a>-?\d+)"#, numbers.map { "\(time($0)) is -\($0)" }),
      (
        "time=utc",
        numbers.map { row in
          let clock = "12\(String(100 + row / 60).dropFirst())\(String(100 + row % 60).dropFirst())"
          return sentence("GPRMC,\(clock),A,4807.\(1_000 + row),N,01131.000,E,022.4,084.4,230394,003.1,W")
        }
      ),
    ]
    for (number, log) in logs.enumerated() {
      // A line that does not fit, and one without an end.
      var lines = log.lines
      lines.insert("what is this?", at: 150)
      try write("log\(number).txt", lines.joined(separator: "\n"))
      for ending in ["csv", "jsonl"] {
        try runShell("$SLUICE record 'lines:log\(number).txt,\(log.form)' --quiet -o live\(number).\(ending)")
        try runShell(
          "$SLUICE replay log\(number).txt --lines '\(log.form)' --skip-bad --quiet -o again\(number).\(ending)")
        let (live, again) = (try rows("live\(number).\(ending)"), try rows("again\(number).\(ending)"))
        XCTAssertEqual(live, again, log.form)
        XCTAssertGreaterThanOrEqual(live.count, 300, log.form)
      }
    }
  }

  func testAReplayNeedsATime() throws {
    try write("log.txt", "a:1\na:2\n")
    let said = try run("replay log.txt --lines as=pairs -o a.csv", status: 64)
    XCTAssertTrue(said.contains("nothing says when they came; say which of their values is the time"), said)
    XCTAssertTrue(try run("replay log.txt --lines as=xml -o a.csv", status: 64).contains("--lines: as takes csv"))
  }

  /// No reading of a pipe is lost, although the buffer is small.
  func testAPipeWaits() throws {
    let said = try runShell("seq 200000 | $SLUICE record lines:- --buffer 10 -o seq.csv")
    XCTAssertTrue(said.contains("200,000 written, nothing lost"), said)
    XCTAssertEqual(try rows("seq.csv").count, 200_001)
  }

  func testAPlanStartsNoProgram() throws {
    try runShell("$SLUICE plan json record exec:'touch started' -o a.csv")
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/started"))
  }
}
