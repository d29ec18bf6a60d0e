import Foundation
import XCTest

@testable import SluicePipeline

final class ReplayCommandTests: CommandTestCase {
  private func account(_ arguments: String, status: Int32 = 0, line: UInt = #line) throws -> Account {
    let said = try run("\(arguments) --quiet --stats json", status: status, line: line)
    return try JSONDecoder().decode(Account.self, from: Data(said.utf8))
  }

  // MARK: Loops

  func testARateAndRoundsOfZero() throws {
    try write("zero.csv", "time_ns,x\n1,5\n")
    for (arguments, reason) in [
      ("--rate 0", "--rate takes N or max, not 0: a number above 0, or max"),
      ("--rate=-1", "not -1: a number above 0"), ("--rate inf", "not inf: a number above 0"),
      ("--loop 0", "--loop takes N or forever, not 0: a number of rounds above 0, or forever"),
      ("--loop=-3", "a number of rounds above 0, or forever"), ("--loop x", "--loop"), ("--rate x", "--rate"),
    ] {
      let said = try run("replay zero.csv \(arguments) -o zero.out.csv", status: 64)
      XCTAssertTrue(said.contains(reason), said)
    }
  }

  func testALoopWritesEachRoundBehindTheOneBefore() throws {
    try write("in.csv", "time_ns,a.x,b.x\n10,1,\n20,,2\n30,3,4\n")
    let account = try account("replay in.csv --loop 3 -o out.csv")
    XCTAssertEqual(account.streams.map(\.received), [6, 6])
    XCTAssertEqual([account.received, account.written, account.unaccounted], [12, 12, 0])
    XCTAssertEqual(
      try rows("out.csv"),
      [
        "time_ns,a.x,b.x", "10,1,", "20,,2", "30,3,4", "40,1,", "50,,2", "60,3,4", "70,1,", "80,,2", "90,3,4",
      ])
    try run("replay in.csv --loop 2 --from 10ns --duration 11ns -o part.csv")
    XCTAssertEqual(try rows("part.csv"), ["time_ns,a.x,b.x", "20,,2", "30,3,4", "40,,2", "50,3,4"])
  }

  /// What the recording lost is counted once; what is in the trace, once per round.
  func testTheAccountOfALoop() throws {
    try run("record sim:meter@2000,seed=3,gaps=0.1 --count 300 -o in.csv")
    let once = try account("replay in.csv -o once.csv")
    let thrice = try account("replay in.csv --loop 3 -o thrice.csv")
    XCTAssertEqual(thrice.received, 3 * once.received)
    XCTAssertEqual(thrice.lost, once.lost)
    XCTAssertEqual(thrice.losses, once.losses)
    XCTAssertEqual(thrice.unaccounted, 0)
    // Of the trace, one that lost its last row: that is no loss of each round.
    let lines = try rows("in.csv")
    try write("in.csv", lines.dropLast().joined(separator: "\n") + "\n")
    let missing = try account("replay in.csv --loop 3 --force -o thrice.csv")
    XCTAssertEqual(missing.lost, once.lost + 1)
  }

  func testALoopWithoutEndIsStopped() throws {
    try write("in.csv", "time_ns,x\n1,1\n2,2\n")
    let said = try runShell("\"$SLUICE\" replay in.csv --loop forever -o - --quiet | head -n 6")
    XCTAssertEqual(said, "time_ns,x\n1,1\n2,2\n3,1\n4,2\n5,1\n")
  }

  func testAPipeIsNotLooped() throws {
    let said = try runShell("printf 'time_ns,x\\n1,1\\n' | \"$SLUICE\" replay - --loop 2 -o out.csv", status: 64)
    XCTAssertTrue(said.contains("standard input can be read only once"), said)
    try runShell("mkfifo p; printf 'time_ns,x\\n1,1\\n' > p & \"$SLUICE\" replay p --loop 2 -o out.csv", status: 64)
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/out.csv"))
  }

  // MARK: Order

  func testReadingsArePutIntoOrder() throws {
    try write("in.csv", "time_ns,x\n1000,1\n3000,2\n2000,3\n9000,4\n500,5\n8500,6\n")
    let account = try account("replay in.csv --reorder 1us -o out.csv")
    XCTAssertEqual(
      try rows("out.csv"), ["time_ns,x", "1000,1", "2000,3", "3000,2", "500,5", "8500,6", "9000,4"])
    XCTAssertEqual(account.reorder.map { [$0.moved, $0.late, $0.early] }, [2, 1, 0])
    XCTAssertEqual([account.received, account.written, account.late, account.unaccounted], [6, 6, 1, 0])
    XCTAssertTrue(
      try rows("out.csv-metadata.json").joined().contains("500"), "the time of a late reading is in the metadata")
    let said = try run("replay in.csv --reorder 1us --force -o out.csv")
    XCTAssertTrue(said.contains("nothing lost in replay; 2 put into order, 1 too late for this"), said)
  }

  // MARK: Pace

  /// A day of silence takes a millisecond; the times in the output are those of the trace.
  func testAnIdleStretchIsShortenedOnlyInThePace() throws {
    let text = "time_ns,x\n0,1\n86400000000000,2\n172800000000000,3\n"
    try write("in.csv", text)
    let account = try account("replay in.csv --rate 1 --max-gap 1ms -o out.csv")
    XCTAssertEqual(try rows("out.csv").joined(separator: "\n") + "\n", text)
    XCTAssertEqual(account.pace?.rate, 1)
    XCTAssertEqual(account.written, 3)
  }
}
