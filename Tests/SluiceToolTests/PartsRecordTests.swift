import Foundation
import SluiceRecording
import XCTest

@testable import SluicePipeline

/// `sluice record` and `sluice replay` with `--rotate`, as a user gives them.
final class PartsRecordTests: CommandTestCase {
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { PartName($0) != nil }.sorted()
  }

  private func writeTrace() throws {
    try write(
      "in.csv", "time_ns,x\n" + (1...10).map { "\($0 - 1 == 0 ? "" : "\($0 - 1)00000000")0,\($0 - 1)\n" }.joined())
  }

  private func account(_ said: String) throws -> Account {
    let line = try XCTUnwrap(said.split(separator: "\n").first { $0.hasPrefix("{\"version\"") }, said)
    return try JSONDecoder().decode(Account.self, from: Data(line.utf8))
  }

  private func metadata(_ name: String) throws -> TraceMetadata {
    let path = "\(folder)/\(name)-metadata.json"
    return try TraceMetadata(Array(try Data(contentsOf: URL(fileURLWithPath: path))), path: path)
  }

  func testARecordingIsCutAndItsPartsAddUp() throws {
    let said = try run("record a=timer:2ms b=timer:3ms --count 200 --rotate 100ms -o walk.csv --stats json")
    let account = try account(said)
    XCTAssertEqual([account.received, account.written], [200, 200])
    XCTAssertGreaterThan(names.count, 1)
    let documents = try names.map { try metadata($0) }
    XCTAssertEqual(documents.map(\.state), names.map { _ in .finished })
    for stream in account.streams {
      let ledgers = documents.compactMap { $0.ledger?.first { $0.stream == stream.stream } }
      XCTAssertEqual(ledgers.reduce(0) { $0 + $1.written }, stream.written)
      XCTAssertEqual(ledgers.reduce(0) { $0 + $1.received }, stream.received)
    }
    let late = documents.flatMap { $0.late ?? [] }.reduce(0) { $0 + $1.count }
    XCTAssertEqual(late, account.streams.reduce(0) { $0 + $1.late })
    let replayed = try run("replay walk.csv --max-loss 1000 -o all.csv")
    XCTAssertTrue(replayed.hasPrefix("replayed 200 readings"), replayed)
    for word in ["verify .", "repair ."] { XCTAssertFalse(try run(word).contains("problem")) }
  }

  /// The same bytes each time.
  func testAReplayMakesTheSamePartsTwice() throws {
    try writeTrace()
    for folder in ["one", "two"] {
      try runShell("mkdir \(folder); cd \(folder); $SLUICE replay ../in.csv -q --rotate 3s,40B -o w.csv")
    }
    try runShell("rm */*-metadata.json; diff -r one two")
    XCTAssertEqual(
      try runShell("ls one").split(separator: "\n"),
      [
        "w.000001.19700101T000000Z.csv", "w.000002.19700101T000003Z.csv", "w.000003.19700101T000006Z.csv",
        "w.000004.19700101T000009Z.csv", "w.csv-parts.jsonl",
      ])
    try run("replay one/w.csv -o again.csv")
    XCTAssertEqual(try rows("again.csv").dropFirst(), try rows("in.csv").dropFirst())
  }

  func testAFolder() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1000000000,a,x,5\n1000000000,b,x,6\n2000000000,a,x,7\n")
    try run("replay in.csv -q --rotate 1s -o d/")
    XCTAssertEqual(
      try runShell("ls d | grep -v metadata").split(separator: "\n"),
      [
        "a.000001.19700101T000001Z.csv", "a.000002.19700101T000002Z.csv", "a.csv-parts.jsonl",
        "b.000001.19700101T000001Z.csv", "b.csv-parts.jsonl",
      ])
    try run("replay d --layout long -o again.csv")
    XCTAssertEqual(try rows("again.csv"), try rows("in.csv"))
  }

  func testOldPartsAreRemovedAndCounted() throws {
    try writeTrace()
    let said = try run("replay in.csv --rotate 1s --keep 3parts -o w.csv --stats json")
    let removed = try XCTUnwrap(account(said).outputs[0].removed)
    XCTAssertEqual([removed.parts, removed.readings], [7, 7])
    XCTAssertEqual(names.compactMap { PartName($0)?.number }, [8, 9, 10])
    let index = try String(contentsOfFile: "\(folder)/w.csv-parts.jsonl", encoding: .utf8)
    XCTAssertEqual(
      index.split(separator: "\n").last.map(String.init),
      "{\"sluice:last\": 10, \"sluice:removed_parts\": 7, \"sluice:removed_bytes\": \(removed.bytes), \"sluice:removed_readings\": 7}"
    )
    let more = try run("replay in.csv --append --rotate 1h --keep 3parts -o w.csv")
    XCTAssertTrue(more.contains("; of w.csv 1 old part with 1 reading removed"), more)
    // What was removed as it should be is not missing.
    let replayed = try run("replay w.csv -o all.csv")
    XCTAssertTrue(replayed.contains("replayed 12 readings"), replayed)
    XCTAssertFalse(replayed.contains("missing"), replayed)
  }

  // MARK: What is there

  /// One name is a file or its parts.
  func testAFileAndPartsOfOneName() throws {
    try writeTrace()
    try run("replay in.csv -q --rotate 5s -o w.csv")
    let there = try runShell("cat w.*")
    XCTAssertEqual(
      try run("replay in.csv --rotate 5s -o w.csv", status: 1),
      "sluice: cannot write w.csv: there are parts of it; choose another name, or --append for further parts\n")
    for option in ["", " --force"] {
      XCTAssertEqual(
        try run("replay in.csv -o w.csv\(option)", status: 1),
        "sluice: cannot write w.csv: there are parts of it, such as w.000002.19700101T000005Z.csv; choose another name, or give --append to continue after them\n",
        option)
    }
    XCTAssertEqual(try runShell("cat w.*"), there)
    // Without further cuts it goes on in the newest part.
    let newest = try rows("w.000002.19700101T000005Z.csv").count
    XCTAssertTrue(
      try run("replay in.csv -o w.csv --append").contains("w.csv goes on in its newest part, w.000002."))
    XCTAssertEqual(try rows("w.000002.19700101T000005Z.csv").count, newest + 10)
    // What stands beside a part goes with it.
    try run("replay in.csv -q --append --rotate 1h --keep 1parts -o w.csv")
    XCTAssertEqual(
      try runShell("ls -d w.*").split(separator: "\n"),
      ["w.000003.19700101T000000Z.csv", "w.000003.19700101T000000Z.csv-metadata.json", "w.csv-parts.jsonl"])
    // The other way round, parts follow a file.
    try run("replay in.csv -q -o v.csv")
    XCTAssertEqual(
      try run("replay in.csv --rotate 5s -o v.csv", status: 1),
      "sluice: cannot write v.csv: there is a file of that name; choose another name, or --append for parts that follow it\n"
    )
    try run("replay in.csv -q --append --rotate 5s -o v.csv")
    XCTAssertEqual(try rows("v.csv").count, 11)
    try runShell("mkdir v; mv v.* v")
    XCTAssertTrue(try run("replay v -o all.csv").contains("replayed 20 readings"))
  }

  func testPartsAreNotReadAndWrittenAtOnce() throws {
    try writeTrace()
    try run("replay in.csv -q --rotate 5s -o w.csv")
    for (trace, part) in [("w.csv", names[0]), (names[1], names[1])] {
      XCTAssertEqual(
        try run("replay \(trace) --append --rotate 5s -o w.csv", status: 64),
        "sluice: cannot write w.csv: it is the same file as \(part), which is read; write to another file\n")
    }
    XCTAssertEqual(names.count, 2)
  }

  /// Without metadata, only the header shows what the streams are.
  func testOtherStreamsDoNotFollowAPartWithoutMetadata() throws {
    try writeTrace()
    try run("replay in.csv -q --rotate 5s -o w.csv")
    try runShell("rm w.*-metadata.json")
    try write("other.csv", "time_ns,stream,channel,value\n1,a,x,5\n")
    for layout in ["wide", "long"] {
      let said = try run("replay other.csv --layout \(layout) --append --rotate 5s -o w.csv", status: 1)
      XCTAssertTrue(said.contains("sluice: cannot append to w.000002.19700101T000005Z.csv: "), said)
      XCTAssertTrue(said.hasSuffix("; write to another file\n"), said)
    }
    XCTAssertEqual(names.count, 2)
  }

  func testTwoRecordingsOfOneName() throws {
    let first = try start("record timer:5ms --rotate 1h -o w.csv")
    waitUntil("a part") { !names.isEmpty }
    let said = try run("record timer:5ms --append --rotate 1h -o w.csv", status: 1)
    XCTAssertEqual(
      said,
      "sluice: cannot write w.csv-parts.jsonl: another recording is writing it; stop that first, or choose another name\n"
    )
    first.process.terminate()
    XCTAssertEqual(end(first).status, 0)
    XCTAssertEqual(names.count, 1)
  }

  // MARK: Verify and repair

  func testVerifyKnowsParts() throws {
    try writeTrace()
    try run("replay in.csv -q --sync 1s --rotate 2s -o w.csv")
    XCTAssertTrue(try run("verify w.csv").contains("ok  parts     w.csv: no part is missing up to number 5"))
    // What `--keep` has not removed is missed, though somebody may have meant to.
    try runShell("mkdir kept; mv w.000001.* w.000002.* kept")
    XCTAssertTrue(
      try run("verify w.csv").contains("warning  parts     w.csv: the first part is 3, and --keep has removed 0 parts"))
    try runShell("mv kept/* .; rmdir kept; rm w.000003.*")
    let missing = """
      problem  parts     ./w.csv: part 3 is missing, and nobody knows what it had
                         -> look for a copy; nothing else has what is missing

      """
    var said = try run("verify .", status: 1)
    XCTAssertTrue(said.contains(missing), said)
    // The name of the recording stands for its parts.
    said = try run("verify w.csv", status: 1)
    XCTAssertTrue(said.contains("w.csv: part 3 is missing"), said)
    XCTAssertTrue(
      said.contains("w.000005.19700101T000008Z.csv: the file has as many readings as the account says"), said)
    try runShell("rm w.000001.*; printf '9,' >> w.000005.19700101T000008Z.csv")
    said = try run("verify .", status: 1)
    XCTAssertTrue(said.contains("1 torn row"), said)
    said = try run("repair w.csv")
    XCTAssertTrue(said.contains("w.000005.19700101T000008Z.csv: cut off 2 bytes after the last whole row"), said)
    XCTAssertTrue(said.contains("w.000002.19700101T000002Z.csv: every row is whole"), said)
    said = try run("verify .", status: 1)
    XCTAssertFalse(said.contains("1 torn row"), said)
    try runShell("rm w.000005.* w.000002.*")
    said = try run("verify w.csv", status: 1)
    XCTAssertTrue(said.contains("w.csv: there was a part 5, and the newest is 4"), said)
  }

  // MARK: Usage

  func testWhatCannotBeCut() throws {
    try writeTrace()
    for (arguments, sentence) in [
      ("--rotate 1h -o -", "--rotate needs a file, and - is standard output, which has no parts"),
      (
        "--rotate 1h --force -o x.csv",
        "--force cannot overwrite parts: remove the old parts, or append new ones"
      ),
      ("--keep 7d -o x.csv", "--keep is for parts: give --rotate too"),
      ("--rotate 5q -o x.csv", "--rotate takes SIZE or T or T,SIZE, not 5q"),
      ("--rotate 1h,2h -o x.csv", "--rotate takes SIZE or T or T,SIZE, not 1h,2h"),
      (
        "--rotate 1h --keep 5 -o x.csv",
        "--keep takes T or SIZE or Nparts, not 5: a number has a unit, such as 5M or 5h"
      ),
      ("--rotate 1h --keep 0parts -o x.csv", "--keep takes T or SIZE or Nparts, not 0parts"),
      ("--sync never -o x.csv", "--sync takes T or batch or none, not never"),
    ] {
      let said = try run("replay in.csv \(arguments)", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
    XCTAssertEqual(mkfifo("\(folder)/p.csv", 0o600), 0)
    XCTAssertEqual(
      try run("replay in.csv --rotate 1h -o p.csv", status: 1),
      "sluice: cannot cut p.csv into parts: it is no file; leave out --rotate for it\n")
    #if SLUICE_SQLITE
      XCTAssertEqual(
        try run("replay in.csv --rotate 1h -o x.db", status: 1),
        "sluice: cannot cut x.db into parts: sqlite has no parts; leave out --rotate for it\n")
    #endif
    XCTAssertEqual(names, [])
  }
}
