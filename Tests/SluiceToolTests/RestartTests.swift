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

  func testEveryReaderSaysSo() throws {
    for kind in kinds {
      try record(kind.options)
      let said = try run("info \(kind.path)")
      XCTAssertTrue(said.contains("160 written, no loss known while it recorded, not recorded for "), said)
      XCTAssertTrue(said.contains(" between 2 runs"), said)
      XCTAssertTrue(said.contains("restarts of water:\n  after reading "), said)
      XCTAssertTrue(said.contains("restarts of imu:\n  after reading "), said)
      XCTAssertTrue(try run("verify \(kind.path)").contains("restarts"), kind.path)
      XCTAssertTrue(try run("plot \(kind.path)").contains("not recorded for "), kind.path)
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
}
