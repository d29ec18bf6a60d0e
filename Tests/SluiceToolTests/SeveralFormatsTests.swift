import Foundation
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

#if SLUICE_SQLITE
  import SluiceSQLite
#endif

final class SeveralFormatsTests: CommandTestCase {
  private func account(_ said: String) throws -> Account {
    let line = try XCTUnwrap(said.split(separator: "\n").first { $0.hasPrefix("{\"version\"") }, said)
    return try JSONDecoder().decode(Account.self, from: Data(line.utf8))
  }

  private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

  /// A reader that goes away is the end of its output alone.
  func testOneOutputWhoseReaderGoesEndsAlone() throws {
    let said = try runShell(
      "mkfifo p; head -2 p > head & \"$SLUICE\" record timer:1ms --count 2000 -o p -o a.csv --stats json")
    XCTAssertEqual(try rows("a.csv").count, 2_001)
    XCTAssertEqual(try rows("head").count, 2)
    let account = try account(said)
    XCTAssertEqual([account.received, account.written, account.unaccounted], [2_000, 2_000, 0])
    XCTAssertEqual(account.outputs.map(\.output), ["p", "a.csv"])
    XCTAssertEqual(account.outputs[0].ended, "its reader has gone")
    XCTAssertNil(account.outputs[0].error)
    XCTAssertEqual(account.errors, [])
    XCTAssertNotNil(account.outputs[0].since)
    XCTAssertEqual(account.outputs[0].written + account.outputs[0].unwritten, 2_000)
    XCTAssertLessThan(account.outputs[0].written, 2_000)
    XCTAssertNil(account.outputs[1].error)
    XCTAssertTrue(said.contains("sluice: p ends here: its reader has gone; the other outputs go on\n"), said)
    XCTAssertEqual(said.components(separatedBy: "its reader has gone").count, 3, "said once, and once in the account")
  }

  func testTheFormatIsThatOfTheName() throws {
    for (options, first) in [
      ("-o t.csv", "time_ns,"), ("-o t.jsonl", "{\"time_ns\":"), ("-o t.ndjson", "{\"time_ns\":"),
      ("-o t.txt --format jsonl", "{\"time_ns\":"), ("-o t.log", "time_ns,"),
    ] {
      try run("record timer:1ms --count 2 \(options) --force")
      XCTAssertTrue(try XCTUnwrap(rows(String(options.split(separator: " ")[1])).first).hasPrefix(first), options)
    }
    try run("record timer:1ms sim:meter --count 3 -o d/ --format jsonl")
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/d").filter { !$0.contains("metadata") }.sorted(),
      ["meter.jsonl", "timer_1ms.jsonl"])
    let noted = try run("record timer:1ms --count 1 -o t.json")
    XCTAssertTrue(noted.contains("t.json is written as CSV, because no format has the ending .json"), noted)
    for (line, sentence) in [
      ("record timer:1ms -o new.vcd --append", "nothing can be appended to a file of the format vcd"),
      ("record timer:1ms -o x --format cvs", "there is no format \"cvs\"; the formats are csv, jsonl"),
      ("record timer:1ms -o x.jsonl --layout wide", "--layout is for CSV, and x.jsonl is jsonl: leave it out"),
    ] {
      let said = try run(line, status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
    XCTAssertFalse(files.contains("x"))
  }

  func testWhatIsNoTraceIsSaid() throws {
    try Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]).write(to: URL(fileURLWithPath: "\(folder)/a.png"))
    let said = try run("replay a.png -o t.csv", status: 1)
    XCTAssertTrue(
      said.contains(
        #"cannot read a.png: it begins with "\x89PNG\x0d\x0a\x1a\x0a\x00", as no known trace does; give one of these: "#
      ),
      said)
    XCTAssertTrue(said.contains("JSON Lines"), said)
    XCTAssertEqual(files, ["a.png"])
  }

  /// A stream that shows late, or has no channel, is in the account all the same.
  func testReadingsWithoutValuesAreCounted() throws {
    let lines = #"{"time_ns":1,"stream":"a","values":{}}\n{"time_ns":2,"stream":"b","values":{"x":1}}\n"#
    for (format, written, unwritten) in [("jsonl", 2, 0), ("csv", 1, 1)] {
      let said = try runShell("printf '\(lines)' | \"$SLUICE\" replay - -o out --force --format \(format) --stats json")
      let account = try account(said)
      XCTAssertEqual(
        [account.received, account.written, account.unwritten, account.unaccounted], [2, written, unwritten, 0])
    }
  }

  /// The first survey of a trace tells nobody of each stream, and a reading waits for no blank line.
  func testManyStreamsAreReadInTime() throws {
    let lines = (0..<16_000).map { #"{"time_ns":\#($0),"stream":"s\#($0)","values":{"x":1}}"# }
    try write("many.jsonl", lines.joined(separator: "\n") + "\n")
    try run("replay many.jsonl -o out.jsonl")
    XCTAssertEqual(try rows("out.jsonl"), lines)
  }

  func testFlagsAreCountedOnce() throws {
    try write(
      "a.jsonl",
      (0..<1_500).map { #"{"time_ns":\#($0),"stream":"a","values":{"x":1},"flags":["gap_before"]}"# + "\n" }.joined())
    for (from, to) in [("a.jsonl", "b.jsonl"), ("b.jsonl", "c.jsonl"), ("c.jsonl", "d.csv"), ("d.csv", "e.csv")] {
      try run("replay \(from) -o \(to)")
      let metadata = try rows("\(to)-metadata.json").joined()
      XCTAssertTrue(
        metadata.contains(#""sluice:stream": "a",      "sluice:count": 1500"#), "\(to): \(metadata.prefix(4_000))")
    }
  }

  func testAnAppendGoesOnInJSONLines() throws {
    for count in [3, 4] { try run("record sim:meter@100,seed=5 --count \(count) -o t.jsonl --append") }
    XCTAssertEqual(try rows("t.jsonl").count, 7)
    try run("replay t.jsonl -o t.csv")
    XCTAssertEqual(try rows("t.csv").count, 8)
  }

  #if SLUICE_SQLITE
    /// The same readings, read by our own decoders.
    func testTheSameInAllFormats() throws {
      try run(
        "record sim:imu@500,seed=3,gaps=5 sim:meter@50,seed=4 --count 2000 -o t.csv -o t.jsonl -o t.db -o t.mcap --layout long"
      )
      for name in ["t.csv", "t.jsonl", "t.db", "t.mcap"] { try run("replay \(name) --layout long -o \(name).csv") }
      XCTAssertEqual(try rows("t.jsonl.csv"), try rows("t.csv"))
      XCTAssertEqual(try rows("t.db.csv"), try rows("t.csv"))
      XCTAssertEqual(try rows("t.mcap.csv"), try rows("t.csv"))
      XCTAssertGreaterThan(try rows("t.csv").count, 5_000)
    }

    /// From CSV to MCAP, to a database, and back: the same bytes.
    func testTheSameBytesAfterAllFormats() throws {
      for (seed, layout) in [(1, "long"), (2, "wide"), (3, "long")] {
        let second = layout == "wide" ? "" : "sim:meter@500,seed=\(seed)"
        try run("record sim:imu@5000,seed=\(seed),gaps=5 \(second) --count 1500 -o a.csv --layout \(layout) --force")
        for encoding in [",encoding=json", ""] {
          try run("convert a.csv -o b.mcap\(encoding) --force")
          try run("convert b.mcap -o c.db --force")
          try run("convert c.db -o d.csv --layout \(layout) --force")
          XCTAssertEqual(try rows("d.csv"), try rows("a.csv"), "\(seed) \(layout) \(encoding)")
          XCTAssertEqual(try runShell("cmp a.csv d.csv && echo same"), "same\n", "\(seed) \(layout) \(encoding)")
        }
      }
    }

    /// It is tried again, and what came meanwhile is written.
    func testADatabaseThatIsLockedForAWhileLosesNothing() throws {
      let started = try startShell("exec \"$SLUICE\" record timer:1ms -o t.db -o t.csv --stats json 2>said")
      func hasSaid(_ words: String) -> Bool { (try? rows("said"))?.contains { $0.contains(words) } ?? false }
      waitUntil("a row") { (try? rows("t.csv").count) ?? 0 > 100 }
      let other = try SQLiteDatabase(path: "\(folder)/t.db", mode: .writing, timeout: 5_000)
      try other.execute("BEGIN IMMEDIATE")
      waitUntil("it has given up once") { hasSaid("it is tried again") }
      try other.execute("ROLLBACK")
      other.close()
      waitUntil("it goes on") { hasSaid("t.db is written again") }
      started.process.interrupt()
      let status = end(started).status
      let text = try rows("said").joined(separator: "\n")
      XCTAssertEqual(status, 0, text)
      XCTAssertTrue(text.contains("cannot write t.db: another program has locked it"), text)
      let account = try account(text)
      XCTAssertEqual(account.outputs.map(\.written), [account.received, account.received])
      try run("replay t.db -o back.csv")
      XCTAssertEqual(try rows("back.csv").count, account.received + 1)
    }

    /// Whole up to a commit, and readable as it is.
    func testAKilledRecordingIsWholeUpToACommit() throws {
      let (process, _) = try start("record timer:1ms -o t.db -o t.csv -q")
      waitUntil("rows") { (try? rows("t.csv").count) ?? 0 > 700 }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let said = try run("replay t.db -o back.csv")
      XCTAssertTrue(said.contains("the recording was cut off"), said)
      let ticks = try rows("back.csv").dropFirst().map { $0.split(separator: ",")[1] }
      XCTAssertGreaterThan(ticks.count, 100)
      let written = try rows("t.csv").dropFirst().map { $0.split(separator: ",")[1] }
      XCTAssertEqual(Array(ticks), Array(written.prefix(ticks.count)), "from the first on, none missing")
      // It goes on in the same file.
      try run("record timer:1ms --count 5 -o t.db --append")
      try run("replay t.db -o back.csv --force")
      XCTAssertEqual(try rows("back.csv").count, ticks.count + 6)
    }

    func testWhatIsNoRecordingIsNotWrittenTo() throws {
      try write("text.db", "mine\n")
      try runShell("\"$SLUICE\" record timer:1ms --count 1 -o ours.db -q")
      let other = try SQLiteDatabase(path: "\(folder)/ours.db", mode: .writing)
      try other.execute("BEGIN IMMEDIATE")
      for (line, sentence) in [
        ("-o text.db --append", "cannot read text.db: it is not a database"),
        ("-o text.db", "cannot write text.db: file exists"),
        ("-o ours.db", "cannot write ours.db: file exists"),
        ("-o ours.db --append", "another program has locked it"),
        ("-o ours.db --force", "cannot overwrite ours.db: another program has locked it"),
        ("-o - --format sqlite", "sqlite cannot be written to a pipe"),
      ] {
        let said = try run("record timer:1ms --count 1 \(line)", status: 1)
        XCTAssertTrue(said.contains(sentence), "\(line): \(said)")
      }
      try other.execute("ROLLBACK; DROP TABLE sluice_streams")
      other.close()
      let said = try run("replay ours.db -o x.csv", status: 1)
      XCTAssertTrue(said.contains("cannot read ours.db: "), said)
      try runShell("cat ours.db | \"$SLUICE\" replay - -o x.csv", status: 1)
      XCTAssertEqual(try rows("text.db"), ["mine"])
      XCTAssertEqual(files, ["ours.db", "text.db"])
    }
  #endif
}
