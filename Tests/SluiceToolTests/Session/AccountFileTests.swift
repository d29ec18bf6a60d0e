import XCTest

/// The file of `--stats FILE`.
final class AccountFileTests: CommandTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try write("in.csv", "time_ns,x\n0,1\n1000,2\n")
  }

  func testItReplacesAnEarlierAccountAndAnEmptyFile() throws {
    try write("a.json", "")
    for _ in 0..<2 { try run("replay in.csv -q -o out.csv --force --stats a.json") }
    XCTAssertTrue(try rows("a.json")[0].hasPrefix(#"{"version": 1, "command": "replay", "#))
  }

  func testItReplacesNothingElse() throws {
    try write("plan.json", #"{"version": 1, "replay": {"file": "in.csv"}, "outputs": [{"path": "out.csv"}]}"#)
    try write("42", "42\n")
    for arguments in [
      "record --plan plan.json --stats plan.json", "replay in.csv -o out.csv --stats plan.json",
      "record poll:42@1ms --count 1 -o out.csv --stats ./42",
    ] {
      let said = try run(arguments, status: 64)
      XCTAssertTrue(said.contains("the file is there already, and it is no account"), said)
    }
    XCTAssertTrue(try rows("plan.json")[0].contains("replay"))
    XCTAssertEqual(try rows("42"), ["42"])
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/out.csv"), "nothing was begun")
  }

  /// The account must not replace a recording, a trace, or what is not a file.
  func testTheAccountReplacesNoFileOfTheRun() throws {
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "in.csv")
    for path in ["in.csv", "./in.csv", "link", "out.csv", "out.csv-metadata.json"] {
      let said = try run("replay in.csv -o out.csv --stats \(path)", status: 64)
      XCTAssertTrue(said.contains("it is a file of this run"), said)
    }
    XCTAssertEqual(try rows("in.csv"), ["time_ns,x", "0,1", "1000,2"])
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/out.csv"), "nothing was begun")
    XCTAssertTrue(
      try run("replay in.csv -o out.csv --stats none/a.json", status: 1).contains("cannot write none/a.json"))
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/out.csv"), "it is said before the run")
    XCTAssertTrue(try run("replay in.csv -o out.csv --stats -", status: 64).contains("--stats takes"))
    let piped = try runShell(
      "mkfifo pipe; $SLUICE replay in.csv -q -o out.csv --stats pipe & cat pipe; test -p pipe; wait")
    XCTAssertTrue(piped.contains(#""received": 2"#), piped)
  }

  /// The output is not there yet when the recording begins.
  func testItDoesNotReplaceTheOutputByAnotherPath() throws {
    let said = try run("replay in.csv -o out.csv --stats ./out.csv", status: 1)
    XCTAssertTrue(said.contains("cannot write ./out.csv: the file is there already, and it is no account"), said)
    XCTAssertEqual(try rows("out.csv"), ["time_ns,x", "0,1", "1000,2"])
  }

  func testALossIsReportedAlthoughItCannotBeWritten() throws {
    let said = try run(
      "record sim:imu@500,gaps=50,seed=1 --count 30 -o /dev/null --max-loss 0 --stats /dev/full", status: 3)
    XCTAssertTrue(said.contains("cannot write /dev/full: no space left on device"), said)
    XCTAssertTrue(said.contains("more than the 0 that --max-loss allows"), said)
    XCTAssertEqual(try run("replay in.csv -q -o /dev/null --stats /dev/null"), "")
  }

  /// Nobody reads the pipe, and everything is written.
  func testASignalEndsTheWait() throws {
    XCTAssertEqual(mkfifo("\(folder)/pipe", 0o600), 0)
    let started = try start("replay in.csv -o out.csv --stats pipe")
    waitUntil("the summary") { (try? self.rows("out.csv-metadata.json").joined().contains("\"finished\"")) ?? false }
    waitUntil("the end") {
      started.process.terminate()
      return !started.process.isRunning
    }
    XCTAssertEqual(try rows("out.csv").count, 3)
  }
}
