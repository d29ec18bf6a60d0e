import Foundation
import XCTest

/// What `sluice repair` and `--append` make of files that a crash has left.
final class RepairCommandTests: CommandTestCase {
  /// What `verify` finds in the middle, `repair` does not call whole.
  func testDamageInTheMiddleIsNotWhole() throws {
    try run("record timer:1ms --count 50 -o t.csv")
    let text = try String(contentsOfFile: "\(folder)/t.csv", encoding: .utf8)
    var lines = text.components(separatedBy: "\n")
    lines[20] = String(repeating: "x", count: lines[20].count)
    try write("t.csv", lines.joined(separator: "\n"))
    XCTAssertTrue(try run("verify t.csv", status: 1).contains("line 21"))
    for option in ["", "--dry-run"] {
      let said = try run("repair t.csv \(option)", status: 1)
      XCTAssertTrue(said.contains("t.csv: nothing at its end is torn\n"), said)
      XCTAssertTrue(said.contains("cannot repair t.csv: line 21, column 2: the row has 1 cell"), said)
      XCTAssertTrue(said.contains("sluice replay t.csv --skip-bad -o NEW writes the other rows"), said)
    }
    try run("replay t.csv --skip-bad -o new.csv")
    XCTAssertEqual(try rows("new.csv").count, 50)
  }

  private func metadata(_ state: String, _ members: String = "") -> String {
    """
    {"sluice:format": "csv", "sluice:state": "\(state)"\(members), "sluice:streams": [{"sluice:name": "a",
      "sluice:channels": [{"sluice:name": "x"}, {"sluice:name": "y"}]}]}
    """
  }

  func testWhatIsSaidAndWhatIsLeft() throws {
    let nuls = String(repeating: "\0", count: 4_096)
    let long = "time_ns,stream,channel,value\n"
    let cases: [(name: String, text: String, state: String?, said: String, left: String)] = [
      ("a.csv", "time_ns,x\n1,2\n", "unfinished", "every row is whole", "time_ns,x\n1,2\n"),
      (
        "a.csv", "time_ns,x\n1,2\n2,1\(nuls)", "unfinished",
        "cut off 4,099 bytes after the last whole row, 1 torn row and 4,096 NUL bytes, because the last run did not end",
        "time_ns,x\n1,2\n"
      ),
      (
        "a.csv", "time_ns,x\n1,2\n2,1\(nuls)5\n7,8\n9,9\n1", "unfinished",
        "cut off 4,110 bytes after the last whole row, 3 torn rows, 4,096 NUL bytes and 2 whole rows after the damage, because the last run did not end",
        "time_ns,x\n1,2\n"
      ),
      ("a.csv", "time_ns,x\n1,2\n2", nil, "cut off 1 byte after the last whole row, 1 torn row", "time_ns,x\n1,2\n"),
      (
        "a.csv", "time_ns,x\n1,2\n2", "finished", "cut off 1 byte after the last whole row, 1 torn row",
        "time_ns,x\n1,2\n"
      ),
      (
        "a.csv", long + "1,a,x,1\n1,a,y,1\n2,a,x,1\n", "unfinished",
        "cut off 8 bytes after the last whole row, 1 row of a reading that is not whole, because the last run did not end",
        long + "1,a,x,1\n1,a,y,1\n"
      ),
      (
        "a.csv", long + "1,a,x,1\n1,a,y,1\n2,a,x,1\n", "finished", "every row is whole",
        long + "1,a,x,1\n1,a,y,1\n2,a,x,1\n"
      ),
      (
        "a.csv", "time_ns,\"b\nc\"\n1,\"2\n\"\n2,\"2\n", nil, "cut off 5 bytes after the last whole row, 1 torn row",
        "time_ns,\"b\nc\"\n1,\"2\n\"\n"
      ),
      (
        "a.csv", nuls, "unfinished",
        "cut off 4,096 bytes after the last whole row, 4,096 NUL bytes, because the last run did not end", ""
      ),
      (
        "a.jsonl", "{\"time_ns\":1}\n{\"time_ns\"", nil, "cut off 10 bytes after the last whole row, 1 torn row",
        "{\"time_ns\":1}\n"
      ),
    ]
    for (name, text, state, said, left) in cases {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)-metadata.json")
      if let state { try write("\(name)-metadata.json", metadata(state)) }
      try write(name, text)
      let would = said.replacingOccurrences(of: "cut off", with: "would cut off")
      XCTAssertEqual(try run("repair --dry-run \(name)"), "\(name): \(would)\n")
      XCTAssertEqual(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8), text)
      XCTAssertEqual(try run("repair \(name)"), "\(name): \(said)\n")
      XCTAssertEqual(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8), left)
      if !left.isEmpty { XCTAssertEqual(try run("repair \(name)"), "\(name): every row is whole\n") }
    }
  }

  func testWhatIsRefused() throws {
    try write("foreign.csv", "time,x\n1,2\n2")
    try write("a.vcd", "$date today $end\n")
    try write("in.csv", "time_ns,x\n1,2\n")
    try write("d.csv", "time_ns,x\n1,2\n2")
    try runShell("ln -s d.csv link.csv")
    for (arguments, status, sentence) in [
      ("", 64, "missing argument"), ("-", 64, "repair takes files and folders"),
      ("none.csv", 1, "cannot repair none.csv: no such file or directory"),
      ("foreign.csv", 1, "cannot repair foreign.csv: it is not a text file that sluice has written"),
      ("a.vcd", 1, "cannot repair a.vcd: it is not a text file that sluice has written"),
      ("link.csv", 1, "cannot repair link.csv: it is not a regular file; give the path of the file itself"),
    ] as [(String, Int32, String)] {
      let said = try run("repair \(arguments)", status: status)
      XCTAssertTrue(said.contains(sentence), said)
    }
    #if SLUICE_SQLITE
      try run("replay in.csv -o a.db")
      let said = try run("repair a.db", status: 1)
      XCTAssertTrue(said.contains("it is a database, which its own journal repairs when it is opened"), said)
    #endif
    XCTAssertEqual(try rows("foreign.csv").last, "2")
    XCTAssertEqual(try rows("d.csv").last, "2")
  }

  func testAFolder() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: false)
    XCTAssertTrue(try run("repair d", status: 1).contains("it is a folder without a text file of a recording"))
    try write("d/a.csv", "time_ns,x\n1,2\n2")
    try write("d/b.jsonl", "{\"time_ns\":1}\n")
    try write("d/b.jsonl-runs.jsonl", "{}\n{\"")
    try write("d/foreign.csv", "time,x\n1")
    XCTAssertEqual(
      try run("repair d/"),
      """
      d/a.csv: cut off 1 byte after the last whole row, 1 torn row
      d/b.jsonl: every row is whole
      d/b.jsonl-runs.jsonl: cut off a last line of 2 bytes that has no end
      sluice: d/foreign.csv is left alone: it is not a text file that sluice has written

      """)
    XCTAssertEqual(try rows("d/b.jsonl-runs.jsonl"), ["{}"])
  }

  /// The lock is that of the recording, and goes with it.
  func testARunningRecordingIsLeftAlone() throws {
    let started = try start("record timer:1ms -o t.csv --quiet")
    waitUntil("a row is written") { ((try? rows("t.csv").count) ?? 0) > 1 }
    for option in ["", "--dry-run "] {
      let said = try run("repair \(option)t.csv", status: 1)
      XCTAssertTrue(said.contains("cannot repair t.csv: another recording is writing it; stop that first"), said)
    }
    started.process.interrupt()
    XCTAssertEqual(end(started).status, 0)
    XCTAssertEqual(try run("repair t.csv"), "t.csv: every row is whole\n")
  }

  func testAKilledRecordingIsGoneOnWith() throws {
    for (name, layout) in [("t.csv", "wide"), ("l.csv", "long"), ("j.jsonl", "")] {
      let arguments = "record sim:imu@1000 timer:1ms -o \(name)" + (layout.isEmpty ? "" : " --layout \(layout)")
      for number in 0..<3 {
        let started = try start(arguments + " --quiet --append")
        let before = (try? rows(name).count) ?? 0
        waitUntil("rows are written") { ((try? rows(name).count) ?? 0) > before + 10 }
        kill(started.process.processIdentifier, SIGKILL)
        _ = end(started)
        // As of a row that only a part of was written.
        let file = try XCTUnwrap(FileHandle(forWritingAtPath: "\(folder)/\(name)"))
        try file.seekToEnd()
        try file.write(contentsOf: Data("17952729,to".utf8) + Data(count: number * 3_000))
        try file.close()
      }
      let torn = try run("verify \(name)", status: 1)
      XCTAssertTrue(torn.contains("-> sluice repair \(name)"), torn)
      let said = try run(arguments + " --append --count 20")
      XCTAssertTrue(
        said.contains(
          "sluice: \(name): cut off 6,011 bytes after the last whole row, 1 torn row and 6,000 NUL bytes, because the last run did not end"
        ), said)
      let checked = try run("verify \(name)")
      XCTAssertTrue(checked.contains("3 earlier runs"), checked)
      XCTAssertTrue(checked.contains("nobody knows how many readings a run that was killed had received"), checked)
      XCTAssertFalse(try rows(name).contains { $0.contains("17952729,to") })
    }
  }

  /// Its journal has done it, and there is nothing to be said.
  #if SLUICE_SQLITE
    func testAKilledDatabaseIsGoneOnWith() throws {
      let arguments = "record sim:imu@1000 -o t.db --append"
      for _ in 0..<2 {
        let started = try start(arguments + " --quiet")
        let log = "\(folder)/t.db-wal"
        var size: Int { (try? Data(contentsOf: URL(fileURLWithPath: log)).count) ?? 0 }
        // Its tables take less.
        waitUntil("readings are written") { size > 100_000 }
        kill(started.process.processIdentifier, SIGKILL)
        _ = end(started)
      }
      XCTAssertFalse(try run(arguments + " --count 20").contains("cut off"))
      let checked = try run("verify t.db")
      XCTAssertTrue(checked.contains("t.db: the last run finished"), checked)
      XCTAssertTrue(checked.contains("nobody knows how many readings a run that was killed had received"), checked)
    }
  #endif
}
