import Foundation
import XCTest

final class VerifyCommandTests: CommandTestCase {
  private func change(_ name: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    XCTAssertTrue(text.contains(old), "\(old) in \(text)")
    try write(name, text.replacingOccurrences(of: old, with: new))
  }

  private var isWithoutDatabases: Bool {
    #if SLUICE_SQLITE
      false
    #else
      true
    #endif
  }

  func testEveryKindThatIsWhole() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,x,5\n1,a,y,6\n2,b,z,7\n2,a,x,8\n2,a,y,9\n")
    for name in ["wide.csv", "long.csv", "o.jsonl", "o.vcd", "o.db"] where name != "o.db" || !isWithoutDatabases {
      let layout = name.hasSuffix(".csv") ? " --layout \(name.prefix(4))" : ""
      try run("replay in.csv --sync 1s -o \(name)\(layout)")
      XCTAssertEqual(
        try run("verify \(name)"),
        """
        ok  rows      \(name): 3 readings of 2 streams, every row is whole
        ok  order     \(name): the times of each stream never go back
        ok  metadata  \(name): the last run finished
        ok  account   \(name): the file has as many readings as the account says

        """)
      guard name != "o.vcd" else { continue }
      try run("replay in.csv --sync 1s -o \(name)\(layout) --append --quiet")
      let said = try run("verify \(name)")
      XCTAssertTrue(said.contains("\(name): 6 readings of 2 streams, every row is whole"), said)
      XCTAssertTrue(
        said.contains("ok       account   \(name): the file has as many readings as the account says"), said)
      // The same times once more.
      XCTAssertTrue(
        said.contains("warning  order     \(name): the times of a go back once, first from 2 to 1 at its reading 3"),
        said)
      if name != "o.db" { XCTAssertTrue(said.contains("ok       runs      \(name)-runs.jsonl: 1 earlier run\n"), said) }
    }
  }

  func testAPathThatIsNotThereDoesNotHideTheOthers() throws {
    try write("in.csv", "time_ns,x\n0,1\n")
    try run("replay in.csv -q -o good.csv")
    let said = try run("verify none.csv good.csv", status: 1)
    XCTAssertTrue(said.contains("cannot verify none.csv"), said)
    XCTAssertTrue(said.contains("good.csv: 1 reading of 1 stream"), said)
  }

  func testWhatIsWrong() throws {
    try write("in.csv", "time_ns,x\n1,5\n2,6\n3,7\n")
    func recorded() throws {
      try run("replay in.csv --sync 1s -o t.csv --force --quiet")
      try run("replay in.csv --sync 1s -o t.csv --append --quiet")
    }
    func check(_ status: Int32, _ sentences: [String], line: UInt = #line, _ damage: () throws -> Void) throws {
      try recorded()
      try damage()
      let said = try run("verify t.csv", status: status, line: line)
      for sentence in sentences { XCTAssertTrue(said.contains(sentence), "\(sentence) in \(said)", line: line) }
    }
    try check(1, ["rows     ", "t.csv: line 3, column 2: "]) { try change("t.csv", "\n2,6\n3,7\n1", "\n2,six\n3,7\n1") }
    try check(
      1, ["problem  account ", "t.csv: in has 5 readings, and 6 were written", "-> look for a copy"]
    ) { try change("t.csv", "\n2,6\n3,7\n1", "\n2,6\n1") }
    try check(
      1, ["t.csv: in has 7 readings, and only 6 were written", "-> something else has written into the file"]
    ) { try change("t.csv", "\n2,6\n3,7\n1", "\n2,6\n2,6\n3,7\n1") }
    try check(
      1, ["t.csv: 2 bytes after the last whole row, 1 torn row", "-> sluice repair t.csv", "it is not compared"]
    ) { try write("t.csv", try String(contentsOfFile: "\(folder)/t.csv", encoding: .utf8) + "4,") }
    try check(
      0, ["warning  runs      t.csv-runs.jsonl: its last line has no end", "-> sluice repair t.csv"]
    ) {
      try write("t.csv-runs.jsonl", try String(contentsOfFile: "\(folder)/t.csv-runs.jsonl", encoding: .utf8) + "{")
    }
    try check(1, ["t.csv-runs.jsonl: it has 0 of 1 earlier runs", "cannot be known"]) {
      try FileManager.default.removeItem(atPath: "\(folder)/t.csv-runs.jsonl")
    }
    try check(1, ["t.csv-runs.jsonl: line 1: it is not JSON", "cannot be known"]) {
      try write("t.csv-runs.jsonl", "nonsense\n")
    }
    try check(1, ["problem  metadata  cannot read t.csv-metadata.json: it is not JSON"]) {
      try write("t.csv-metadata.json", "{\"")
    }
    try check(0, ["warning  metadata  t.csv: there is none"]) {
      try FileManager.default.removeItem(atPath: "\(folder)/t.csv-metadata.json")
    }
    try check(0, ["ok       metadata  t.csv: the last run was killed", "nobody knows how many readings"]) {
      try change("t.csv-metadata.json", "sluice:ended_ns", "sluice:none")
      try change("t.csv-metadata.json", "\"sluice:state\": \"finished\"", "\"sluice:state\": \"unfinished\"")
    }
    // Before the last run everything was on the disk.
    let nuls = String(repeating: "\0", count: 3)
    try check(1, ["t.csv: from byte 14 on something is damaged that was on the disk before the last run"]) {
      try change("t.csv-metadata.json", "\"sluice:state\": \"finished\"", "\"sluice:state\": \"unfinished\"")
      try change("t.csv", "\n2,6\n3,7\n1", "\n\(nuls)\n3,7\n1")
    }
  }

  /// A run that came to its end has left no torn tail: what damaged the file later costs no good rows.
  func testGoodRowsOfAFinishedRunAreNotCutOff() throws {
    try write("in.csv", "time_ns,x\n1,5\n2,6\n3,7\n4,8\n")
    try run("replay in.csv --sync 1s -o t.csv --quiet")
    let text = try String(contentsOfFile: "\(folder)/t.csv", encoding: .utf8)
    let damaged = text.replacingOccurrences(of: "2,6", with: "\0\0\0")
    try write("t.csv", damaged)
    try run("repair t.csv", status: 1)
    XCTAssertEqual(try String(contentsOfFile: "\(folder)/t.csv", encoding: .utf8), damaged)
    XCTAssertTrue(try run("verify t.csv", status: 1).contains("problem  rows"))
    try run("replay in.csv --sync 1s -o t.csv --append --quiet")
    XCTAssertTrue(try String(contentsOfFile: "\(folder)/t.csv", encoding: .utf8).hasPrefix(damaged))
    // A torn row behind it is cut off alone.
    try run("replay in.csv --sync 1s -o u.csv --quiet")
    try write("u.csv", damaged + "5,")
    try run("repair u.csv", status: 1)
    XCTAssertEqual(try String(contentsOfFile: "\(folder)/u.csv", encoding: .utf8), damaged)
  }

  func testGapsOfATraceOfAnotherProgram() throws {
    let times = (0..<100).filter { ![40, 41, 70].contains($0) }
    try write("in.csv", "time_ns,x\n" + times.map { "\($0 * 1_000_000),1\n" }.joined())
    let said = try run("verify in.csv")
    XCTAssertTrue(
      said.contains(
        "warning  gaps      in.csv: in has 2 gaps: by its rate 3 readings are missing, the first after its reading 40"),
      said)
    try write("whole.csv", "time_ns,x\n" + (0..<100).map { "\($0 * 1_000_000),1\n" }.joined())
    XCTAssertFalse(try run("verify whole.csv").contains("gaps"))
  }

  /// What its own messages tell the user to give.
  func testOptionsForReadingATrace() throws {
    try write("in.csv", "n,when,a\n1,1000,1\n2,two,2\n3,3000,x\n4,4000,4\n")
    XCTAssertTrue(try run("verify in.csv", status: 1).contains("--time-column"))
    let options = "--time-column when --time-unit ms --columns a"
    let stopped = try run("verify in.csv \(options)", status: 1)
    XCTAssertTrue(stopped.contains("line 3, column 2"), stopped)
    let said = try run("verify in.csv \(options) --skip-bad", status: 1)
    XCTAssertTrue(
      said.contains("problem  rows      in.csv: 2 rows cannot be read; the first is line 3, column 2: \"two\" is not"),
      said)
    XCTAssertFalse(said.contains("every row is whole") || said.contains("left out"), said)
    try Data([1, 0, 2, 0]).write(to: URL(fileURLWithPath: "\(folder)/dump.bin"))
    let dump = try run("verify dump.bin --scan-layout x=le:s16/16>>0 --sample-rate 100")
    XCTAssertTrue(dump.contains("dump.bin: 2 readings of 1 stream, every row is whole"), dump)
    XCTAssertTrue(try run("verify in.csv --reorder 1s", status: 64).contains("--reorder"))
  }

  /// What was read before the error is good, and is not all.
  func testAnOutputThatABadInputHasCutShort() throws {
    try write("in.csv", "time_ns,x\n1,5\n2,six\n3,7\n")
    for name in ["o.csv", "o.jsonl", "o.vcd", "o.db"] where name != "o.db" || !isWithoutDatabases {
      try run("replay in.csv -o \(name)", status: 1)
      let said = try run("verify \(name)", status: 1)
      XCTAssertTrue(
        said.contains(
          "problem  metadata  \(name): the recording ended with an error: cannot read in.csv: line 3, column 2: \"six\""
        ),
        said)
      XCTAssertTrue(said.contains("ok       rows      \(name): 1 reading of 1 stream, every row is whole"), said)
      XCTAssertFalse(said.contains("came to its end") || said.contains("killed"), said)
    }
    XCTAssertTrue(try rows("o.csv-metadata.json").joined().contains("\"sluice:state\": \"unfinished\""))
    XCTAssertTrue(try run("replay o.csv -o p.csv").contains("the recording had an error: cannot read in.csv"))
    // What ends before the bad row ends without an error.
    try write("long.csv", "time_ns,x\n1,5\n2,6\n" + String(repeating: "3,7\n", count: 10_000) + "4,eight\n")
    try run("replay long.csv --duration 1ns -o s.csv")
    XCTAssertTrue(try run("verify s.csv").contains("the last run finished"))
  }

  /// The rows are all there, and the error is said.
  func testAnErrorOfARecordingThatWasFinished() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try run("replay in.csv -o t.csv --quiet")
    try change("t.csv-metadata.json", "\"sluice:errors\": []", "\"sluice:errors\": [\"cannot sync u.csv: no space\"]")
    let said = try run("verify t.csv")
    XCTAssertTrue(
      said.contains("warning  metadata  t.csv: the recording had an error: cannot sync u.csv: no space"), said)
  }

  /// Its account says how many rows there were, and is not compared without those that cannot be read.
  func testRowsOfARecordingThatCannotBeRead() throws {
    try write("in.csv", "time_ns,x\n1,5\n2,6\n3,7\n")
    try run("replay in.csv --sync 1s -o t.csv --quiet")
    try change("t.csv", "2,6", "2,six")
    let said = try run("verify t.csv --skip-bad", status: 1)
    XCTAssertTrue(said.contains("problem  rows      t.csv: 1 row cannot be read; the first is line 3, column 2"), said)
    XCTAssertTrue(said.contains("it is not compared, because not every row can be read"), said)
  }

  func testJSONAndFolders() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try run("replay in.csv -o d/ --quiet")
    // A file that is not there is a problem in the JSON too.
    let missing = try runShell("\"$SLUICE\" verify none.csv --json 2>/dev/null; echo $?")
    XCTAssertEqual(
      missing,
      #"{"problems": 1, "warnings": 0, "findings": [{"check": "file", "verdict": "problem", "meaning": "#
        + #""cannot verify none.csv: there is no such file or folder", "remedy": null}]}"# + "\n1\n")
    try write("d/z.csv", "time_ns,x\n1,2\n3")
    let data = Data(try run("verify --json d", status: 1).utf8)
    let object = try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
    XCTAssertEqual(object["problems"] as? Int, 1)
    let findings = try XCTUnwrap(object["findings"] as? [[String: Any]])
    XCTAssertEqual(
      findings.map { $0["check"] as? String },
      ["rows", "order", "metadata", "account", "rows", "metadata"])
    XCTAssertEqual(findings[4]["remedy"] as? String, "sluice repair d/z.csv")
  }

  func testWhatIsRefused() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/empty", withIntermediateDirectories: false)
    for (arguments, status, sentence) in [
      ("", 64, "missing argument"), ("-", 64, "verify takes files and folders"),
      ("none.csv", 1, "cannot verify none.csv: there is no such file or folder"),
      ("empty", 1, "cannot verify empty: it is a folder without a recording"),
    ] as [(String, Int32, String)] {
      let said = try run("verify \(arguments)", status: status)
      XCTAssertTrue(said.contains(sentence), said)
    }
  }
}
