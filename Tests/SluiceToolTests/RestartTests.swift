import Foundation
import XCTest

/// Nobody knows what happened between two runs of a recording, and everything that reads it says so.
final class RestartTests: CommandTestCase {
  private let sources = "record water=sim:meter@200,seed=1 imu=sim:imu@200,gaps=0,seed=2 --count 80"

  /// Each kind of file: its options, and what is given to the reader.
  private var kinds: [(options: String, path: String)] {
    [
      ("-o e.csv", "e.csv"), ("-o wide.csv --layout wide", "wide.csv"), ("-o e.jsonl", "e.jsonl"),
      ("-o parts/e.csv --rotate 100ms", "parts"), ("-o d/", "d"),
    ] + Self.database
  }

  #if SLUICE_SQLITE
    private static let database = [(options: "-o e.db", path: "e.db")]
  #else
    private static let database: [(options: String, path: String)] = []
  #endif

  private func record(_ options: String) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/parts", withIntermediateDirectories: true)
    try run("\(sources) \(options)")
    try run("\(sources) \(options) --append")
  }

  /// Each part of a replay lists the restarts of its recording.
  func testARestartIsFlaggedOnceInParts() throws {
    try record("-o e.jsonl")
    for output in ["p.csv", "p.jsonl", "p.vcd"] {
      try run("replay e.jsonl --rotate 100ms -o \(output)")
      try run("replay \(output) -o back-\(output).jsonl")
      XCTAssertEqual(try rows("back-\(output).jsonl").filter { $0.contains("restart") }.count, 2, output)
    }
  }

  func testEveryReaderSaysSo() throws {
    for kind in kinds {
      try record(kind.options)
      let said = try run("info \(kind.path)")
      XCTAssertTrue(said.contains("160 written, nothing lost while it recorded; nothing was recorded for "), said)
      XCTAssertTrue(said.contains(" between 2 runs"), said)
      XCTAssertTrue(said.contains("restarts of water:\n  after reading "), said)
      XCTAssertTrue(said.contains("restarts of imu:\n  after reading "), said)
      XCTAssertTrue(try run("verify \(kind.path)").contains("restarts"), kind.path)
      XCTAssertTrue(try run("plot \(kind.path)").contains("nothing was recorded for "), kind.path)
      let refused = try run("replay \(kind.path) -o x.csv --max-loss 0 --force", status: 3)
      XCTAssertTrue(refused.contains("1 restart (nothing recorded in between) from "), refused)
    }
  }

  /// The flags stay with what is made from the recording.
  func testTheFirstReadingOfEachStreamIsFlagged() throws {
    for kind in kinds {
      try record(kind.options)
      try run("replay \(kind.path) -o copy.csv --force")
      try run("replay copy.csv -o copy.jsonl --force")
      let rows = try rows("copy.jsonl")
      let flagged = rows.indices.filter { rows[$0].contains(#""flags":["gap_before","restart"]"#) }
      XCTAssertEqual(flagged.count, 2, kind.path)
      XCTAssertEqual(Set(flagged.map { rows[$0].contains("water") }), [true, false], kind.path)
      XCTAssertTrue(try run("info copy.csv").contains("between 2 runs"), kind.path)
    }
  }

  /// The other streams of a merged trace were not restarted.
  func testOnlyTheStreamsOfTheRestartAreFlagged() throws {
    let started = try start("record b=timer:2ms -q -o b.csv")
    waitUntil("the first rows of b") { (try? rows("b.csv").count) ?? 0 > 2 }
    for _ in 1...2 { try run("record a=timer:2ms --count 5 --append -q -o a.csv") }
    let count = try rows("b.csv").count
    waitUntil("later rows of b") { (try? rows("b.csv").count) ?? 0 > count + 100 }
    kill(started.process.processIdentifier, SIGTERM)
    _ = end(started)
    try run("convert a.csv b.csv -q -o both.csv")
    try run("replay both.csv -q -o both.jsonl")
    let flagged = try rows("both.jsonl").filter { $0.contains("restart") }
    XCTAssertEqual(flagged.map { $0.contains("\"stream\":\"a\"") }, [true], "\(flagged)")
  }

  /// No window, no pulse and no value goes across a restart.
  func testStagesBeginAnew() throws {
    for kind in kinds {
      try record(kind.options)
      try run("replay \(kind.path) --select water -o all.jsonl --force")
      let all = try rows("all.jsonl").map(time)
      let restart = try XCTUnwrap(rows("all.jsonl").firstIndex { $0.contains("restart") })
      let gap = all[restart - 1] + 1_000_000...all[restart] - 1_000_000
      for stage in ["--frequency-of 1ms", "--resample 1ms:last", "--resample 1ms:linear"] {
        try run("replay \(kind.path) --select water \(stage) -o made.jsonl --force")
        let inside = try rows("made.jsonl").map(time).filter(gap.contains)
        XCTAssertEqual(inside, [], "\(kind.path) \(stage)")
      }
      try run("replay \(kind.path) --select water --pulse-width water -o widths.jsonl --force")
      for row in try rows("widths.jsonl") where time(row) == all[restart] {
        XCTAssertTrue(row.contains(#""width":null,"period":null"#), "\(row)")
      }
    }
  }

  private func time(_ row: String) -> Int64 {
    Int64(row.dropFirst(#"{"time_ns":"#.count).prefix { $0.isNumber }) ?? 0
  }

  /// The runs of the files of a folder may have equal accounts, and each of them counts.
  func testEqualRunsOfAFolderAreCountedEach() throws {
    try record("-o d/")
    XCTAssertTrue(try run("info d").contains("account: 160 written"))
  }

  /// A line may have no edge in a whole run.
  func testALineWithoutAnEdgeInARun() throws {
    // On a busy machine one source begins later than the other, so the first one is the faster one where it has to have edges.
    for (number, rates) in [("200", "20"), ("200", "0.001"), ("0.001", "200"), ("200", "20")].enumerated() {
      try run(
        "record a=sim:meter@\(rates.0),seed=1 b=sim:meter@\(rates.1),seed=2 --count 30 -o e.jsonl"
          + (number > 0 ? " --append" : ""))
    }
    try run("replay e.jsonl -o all.jsonl")
    let gaps = try gaps("a", in: "all.jsonl")
    XCTAssertEqual(gaps.count, 2)
    for stage in ["--frequency-of 1ms", "--resample 1ms:last"] {
      try run("replay e.jsonl \(stage) -o made.jsonl --force")
      let times = try rows("made.jsonl").filter { $0.contains(#""stream":"a""#) }.map(time)
      for gap in gaps { XCTAssertEqual(times.filter(gap.contains), [], stage) }
    }
  }

  /// From a window after the end of a run to the window of the next reading of a stream.
  private func gaps(_ stream: String, in path: String, window: Int64 = 1_000_000) throws -> [Range<Int64>] {
    let rows = try rows(path).filter { $0.contains("\"stream\":\"\(stream)\"") }
    let restarts = try runShell("$SLUICE info \(path) --json").split(separator: "\"ended_ns\":").dropFirst()
    let ends = restarts.compactMap { Int64($0.drop { $0 == " " }.prefix { $0.isNumber }) }
    return try rows.indices.filter { rows[$0].contains("restart") }.map { index in
      let before = try XCTUnwrap(index > 0 ? rows[index - 1] : nil, "the first run has no reading of \(stream)")
      let ended = try XCTUnwrap(ends.first { $0 >= time(before) })
      return ended + window..<max(ended + window, time(rows[index]))
    }
  }

  /// Stages that leave readings out keep the flags for the next reading of the stream.
  func testAFlaggedReadingThatIsLeftOut() throws {
    try record("-o e.jsonl")
    try run("replay e.jsonl --select water -o all.jsonl")
    let gap = try XCTUnwrap(gaps("water", in: "all.jsonl").first)
    let level = try rows("all.jsonl").first { $0.contains("restart") }?.contains(#""level":1"#) == true ? 0 : 1
    try run("replay e.jsonl --select water --where level==\(level) --resample 1ms:last -o made.jsonl")
    XCTAssertEqual(try rows("made.jsonl").map(time).filter { gap.contains($0) }, [])
    for stage in ["--where level==\(level)", "--every 2"] {
      try run("replay e.jsonl --select water \(stage) -o left.jsonl --force")
      try run("replay left.jsonl -o copy.jsonl --force")
      for path in ["left.jsonl", "copy.jsonl"] {
        XCTAssertEqual(try rows(path).filter { $0.contains("restart") }.count, 1, "\(path) \(stage)")
      }
    }
  }

  /// Another recording goes on while one is restarted.
  func testTwoRecordings() throws {
    let other = try start("record b=sim:meter@300 -o y.csv")
    waitUntil("rows") { (try? rows("y.csv").count) ?? 0 > 5 }
    try run("record a=sim:meter@200,seed=1 --count 30 -o x.csv")
    let before = try rows("y.csv").count
    waitUntil("more rows") { (try? rows("y.csv").count) ?? 0 > before + 30 }
    try run("record a=sim:meter@200,seed=1 --count 30 -o x.csv --append")
    other.process.interrupt()
    _ = end(other)
    try run("convert x.csv y.csv -o m.csv")
    try run("replay m.csv -o m.jsonl")
    let flagged = try self.rows("m.jsonl").filter { $0.contains("restart") }
    XCTAssertEqual(flagged.map { $0.contains(#""stream":"a""#) }, [true])
    let gap = try XCTUnwrap(gaps("a", in: "m.jsonl", window: 10_000_000).first)
    for stage in ["--frequency-of 10ms", "--reduce 10ms:count", "--resample 10ms:last"] {
      try run("convert x.csv y.csv \(stage) -o made.jsonl --force")
      let made = try self.rows("made.jsonl")
      let times = made.filter { $0.contains(#""stream":"b""#) }.map(time)
      XCTAssertEqual(times.count, Set(times).count, stage)
      let inside = made.filter { $0.contains(#""stream":"a""#) }.map(time).filter(gap.contains)
      XCTAssertEqual(inside, [], stage)
    }
  }

  /// A part whose recording was killed before it had metadata.
  func testAPartWithoutMetadata() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/parts", withIntermediateDirectories: true)
    let options = "-o parts/e.csv --rotate 100ms"
    try run("\(sources) \(options)")
    try runShell("rm $(ls parts/*metadata.json | tail -1)")
    try run("\(sources) \(options) --append")
    let unknown = "nothing was recorded for an unknown time between 2 runs"
    XCTAssertTrue(try run("info parts").contains(unknown))
    XCTAssertTrue(try run("verify parts", status: 0).contains(unknown))
  }

  /// Rows without metadata were not recorded in the same run as those that follow.
  func testRowsWithoutMetadata() throws {
    try run("\(sources) -o e.csv")
    try runShell("rm e.csv-metadata.json")
    try run("\(sources) -o e.csv --append")
    XCTAssertTrue(try run("info e.csv").contains("nothing was recorded for an unknown time between 2 runs"))
    try run("replay e.csv -o e.jsonl")
    XCTAssertEqual(try rows("e.jsonl").filter { $0.contains("restart") }.count, 2)
  }
}
