import Foundation
import XCTest

/// What `verify` and `info` say about a recording that runs, and after it was killed.
final class RunningRecordingTests: CommandTestCase {
  private func object(_ text: String) throws -> [String: Any] {
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try XCTUnwrap((parsed as? [[String: Any]])?.first ?? parsed as? [String: Any])
  }

  /// Every kind of recording, with the file that has its newest rows.
  private let kinds: [(name: String, options: String)] = {
    var kinds = [
      ("t.csv", ""), ("l.csv", "--layout long"), ("t.jsonl", ""), ("t.csv.gz", ""), ("d/", ""),
      ("p.csv", "--rotate 20k"), ("q/", "--rotate 20k"),
    ]
    #if SLUICE_SQLITE
      kinds.append(("t.db", ""))
    #endif
    return kinds
  }()

  func testARunningRecordingIsRunningAndAKilledOneIsKilled() throws {
    for (name, options) in kinds {
      let started = try start("record r=sim:imu@2000 -o \(name) \(options) --quiet")
      let process = started.process.processIdentifier
      waitUntil("rows of \(name) are written") {
        // Before its first bytes there is nothing to be read.
        let started = try? start("info --json \(name)")
        guard let started, let info = try? object(end(started).text) else { return false }
        return info["readings"] as? Int ?? 0 > 500
      }
      // While rows are written, at many moments.
      for _ in 0..<3 {
        let said = try run("verify \(name)")
        XCTAssertTrue(said.contains("it is running"), said)
        XCTAssertTrue(said.contains("running (process \(process)"), said)
        XCTAssertFalse(said.contains("problem") || said.contains("warning") || said.contains("killed"), said)
      }
      let text = try run("info \(name)")
      // Of a recording in parts, the newest part may have ended just now.
      let running = "recording: running (process \(process)" + (options.contains("--rotate") ? "" : ", since ")
      XCTAssertTrue(text.contains(running), text)
      let member = try XCTUnwrap(try object(run("info --json \(name)"))["running"] as? [String: Any])
      XCTAssertEqual(member["process"] as? Int32, process)
      if !options.contains("--rotate") { XCTAssertNotNil(member["since_ns"]) }
      kill(process, SIGKILL)
      _ = end(started)
      if !name.hasSuffix(".gz"), !name.hasSuffix(".db") { try run("repair \(name)") }
      let killed = try run("verify \(name)")
      // A part that has reached its size is finished, and the next one begins with the next row. A kill between them
      // leaves no trace.
      if options.contains("--rotate"), !killed.contains("the last run was killed") {
        XCTAssertTrue(killed.contains("the last run finished"), killed)
        continue
      }
      XCTAssertTrue(killed.contains("the last run was killed"), killed)
      XCTAssertFalse(killed.contains("running") || killed.contains("problem") || killed.contains("warning"), killed)
      let info = try run("info \(name)")
      XCTAssertTrue(info.contains("recording: the last run was killed"), info)
      XCTAssertNil(try object(run("info --json \(name)"))["running"])
    }
  }

  /// A file is there a moment before its metadata, and a recording in parts has such a moment at each part.
  func testARunningRecordingWithoutMetadataIsRunning() throws {
    for (name, options) in [("t.csv", ""), ("p.csv", "--rotate 1h")] {
      let started = try start("record r=sim:imu@1000 -o \(name) \(options) --quiet")
      let process = started.process.processIdentifier
      waitUntil("rows are written") {
        guard let started = try? start("info \(name)") else { return false }
        return end(started).text.contains("readings")
      }
      kill(process, SIGSTOP)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      let metadata = try XCTUnwrap(files.first { $0.hasPrefix("\(name.prefix(1)).") && $0.hasSuffix("-metadata.json") })
      try FileManager.default.removeItem(atPath: "\(folder)/\(metadata)")
      let said = try run("verify \(name)")
      XCTAssertFalse(said.contains("problem") || said.contains("warning"), said)
      let file = metadata.dropLast("-metadata.json".count)
      XCTAssertTrue(said.contains("metadata  \(file): it is running (process \(process))"), said)
      XCTAssertTrue(try run("info \(name)").contains("recording: running (process \(process)"), said)
      kill(process, SIGKILL)
      kill(process, SIGCONT)
      _ = end(started)
      XCTAssertTrue(try run("verify \(name)").contains("warning  metadata"))
    }
  }

  /// No check finds a problem, and one sentence says what is not known.
  func testAKilledRecordingThatWasRepairedIsNoProblem() throws {
    for repair in ["repair t.csv", "record r=sim:imu@1000 -o t.csv --append --count 20 --quiet"] {
      for name in ["t.csv", "t.csv-metadata.json", "t.csv-runs.jsonl"] {
        try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      }
      try run("record r=sim:imu@1000 -o t.csv --count 50 --quiet")
      let started = try start("record r=sim:imu@1000 -o t.csv --append --quiet")
      waitUntil("rows are written") { ((try? rows("t.csv").count) ?? 0) > 100 }
      kill(started.process.processIdentifier, SIGKILL)
      _ = end(started)
      let file = try XCTUnwrap(FileHandle(forWritingAtPath: "\(folder)/t.csv"))
      try file.seekToEnd()
      try file.write(contentsOf: Data("17952729".utf8))
      try file.close()
      XCTAssertTrue(try run("verify t.csv", status: 1).contains("problem  rows"))
      try run(repair)
      let said = try run("verify t.csv")
      XCTAssertFalse(said.contains("problem") || said.contains("warning"), said)
      XCTAssertEqual(said.components(separatedBy: "nobody knows").count, 2, said)
      XCTAssertTrue(
        said.contains(
          "account   t.csv: no reading of the runs that ended is missing; nobody knows how many readings a run that was "
            + "killed had received\n"), said)
    }
  }

  func testARepairIsInTheMetadata() throws {
    let started = try start("record r=sim:imu@1000 -o t.csv --quiet")
    waitUntil("rows are written") { ((try? rows("t.csv").count) ?? 0) > 100 }
    kill(started.process.processIdentifier, SIGKILL)
    _ = end(started)
    let file = try XCTUnwrap(FileHandle(forWritingAtPath: "\(folder)/t.csv"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("17952729".utf8))
    try file.close()
    let before = try String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8)
    try run("repair --dry-run t.csv")
    XCTAssertEqual(try String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8), before)
    try run("repair t.csv")
    let after = try object(String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8))
    XCTAssertEqual(after["sluice:state"] as? String, "unfinished")
    XCTAssertEqual((after["sluice:repaired"] as? [String: Any])?["sluice:cut_bytes"] as? Int, 8)
    XCTAssertEqual(after.count, try object(before).count + 1)
    for command in ["verify", "info"] {
      let said = try run("\(command) t.csv")
      XCTAssertTrue(said.contains("the last run was killed; repaired 20"), said)
      XCTAssertTrue(said.contains("Z: 8 bytes were cut off"), said)
    }
    // A second repair has nothing to say, and the next run keeps what the first has said.
    try run("repair t.csv")
    try run("record r=sim:imu@1000 -o t.csv --append --count 20 --quiet")
    XCTAssertTrue(try rows("t.csv-runs.jsonl")[0].contains("\"sluice:cut_bytes\":8"))
    XCTAssertFalse(try run("verify t.csv").contains("repaired"))
    // A run that came to its end needs no repair.
    try run("repair t.csv")
    XCTAssertFalse(try rows("t.csv-metadata.json").joined().contains("sluice:repaired"))
  }
}
