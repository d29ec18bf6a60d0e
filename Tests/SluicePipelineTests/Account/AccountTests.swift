import Foundation
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluicePipeline

final class AccountTests: XCTestCase {
  private func stream(_ name: String, dropped: Int = 0) -> StreamAccount {
    StreamAccount(stream: name, received: 10, dropped: dropped, suppressed: 0, discarded: 0, written: 10 - dropped)
  }

  private func said(
    _ accounts: [StreamAccount], _ losses: [Loss] = [], _ coverage: LossCoverage = .all
  ) -> String {
    Account(streams: accounts, losses: losses, lossesShown: coverage, seconds: 2).text
  }

  func testThatNothingWasLostIsSaidOnlyWhereItWouldShow() {
    let start = "recorded 10 readings in 2.00 s (5.0/s): 10 written, "
    XCTAssertEqual(said([stream("a")]), start + "nothing lost")
    XCTAssertEqual(said([stream("a")], [Loss(reason: "lost", count: 0)], .some), start + "no sign of a loss")
    XCTAssertEqual(said([stream("a")], [], .none), start + "losses could not be seen")
    XCTAssertEqual(said([stream("a")], [Loss(streams: ["a"], reason: "lost", count: 1)], .none), start + "1 lost")
    let mixed = Account(
      streams: [stream("a"), stream("b")], losses: [], lossesShown: .none, unseen: ["b"], seconds: 2)
    XCTAssertTrue(mixed.text.contains("no sign of a loss, but losses of b could not be seen"))
  }

  func testLateReadingsAreWrittenAndTold() {
    var late = stream("a")
    late.late = 3
    let start = "recorded 10 readings in 2.00 s (5.0/s): 10 written, "
    XCTAssertEqual(said([late]), start + "3 came late, nothing lost")
    let account = Account(streams: [late], losses: [], seconds: 2)
    XCTAssertTrue(account.json.text.contains(#""received": 10, "late": 3, "dropped""#), account.json.text)
  }

  func testOccasionsAreNoReadings() {
    let removed = Loss(
      streams: ["a"], reason: "times removed", count: 2, countsReadings: false, phrase: "removed 2 times")
    let account = Account(streams: [stream("a")], losses: [removed], lossesShown: .some, seconds: 2)
    XCTAssertEqual(account.lost, 0)
    XCTAssertTrue(account.text.hasSuffix("10 written, removed 2 times"), account.text)
    XCTAssertTrue(account.json.text.contains(#""count": 2, "unit": "occasions""#), account.json.text)
  }

  func testAReplayTellsItsLossesFromThoseOfTheRecording() {
    func said(_ losses: [Loss], hasMetadata: Bool = true, _ coverage: LossCoverage = .some) -> String {
      Account(
        command: .replay, streams: [stream("a")], losses: losses, lossesShown: coverage,
        trace: ReplayedTrace(file: "t.csv", hasMetadata: hasMetadata, state: .finished), seconds: 2
      ).text
    }
    let missed = Loss(streams: ["a"], reason: "missing", count: 75, isRecorded: true)
    XCTAssertTrue(
      said([missed]).hasSuffix("10 written, nothing lost in replay; the recording missed 75"), said([missed]))
    XCTAssertTrue(said([]).hasSuffix("nothing lost in replay; no sign of a loss in the recording"))
    XCTAssertTrue(said([], .all).hasSuffix("nothing lost in replay; the recording lost nothing"))
    XCTAssertTrue(said([], .none).hasSuffix("nothing lost in replay; losses of the recording could not be seen"))
    XCTAssertTrue(said([], hasMetadata: false, .none).hasSuffix("nothing lost in replay"))
    let removed = Loss(streams: ["a"], reason: "times removed", count: 2, countsReadings: false, isRecorded: true)
    XCTAssertTrue(
      said([missed, removed]).hasSuffix("the recording missed 75; in the recording 2 times removed"),
      said([missed, removed]))
  }

  func testWhatFailedHasNoVerdict() {
    let account = Account(command: .replay, streams: [stream("a")], losses: [], errors: ["no"], seconds: 2)
    XCTAssertTrue(account.text.hasSuffix(": 10 written"), account.text)
  }

  func testOfSeveralSourcesEachLossSaysWhose() {
    let losses = [Loss(streams: ["b"], reason: "missing", count: 3), Loss(streams: ["a"], reason: "missing", count: 4)]
    XCTAssertEqual(
      said([stream("a"), stream("b", dropped: 2)], losses),
      "recorded 20 readings in 2.00 s (10.0/s): 18 written, 2 dropped (buffer full), 3 missing of b, 4 missing of a; "
        + "a 10, b 10")
    XCTAssertTrue(said([stream("a")], [Loss(streams: ["a"], reason: "missing", count: 3)]).hasSuffix("3 missing"))
  }

  func testEstimatesMayBeHuge() {
    let losses = [Loss(reason: "missing", count: .max), Loss(reason: "missing", count: 1)]
    XCTAssertEqual(Account(streams: [stream("a")], losses: losses, seconds: 0).lost, .max)
  }

  func testAnOutputThatHasLessSaysSo() {
    var account = Account(
      streams: [stream("a")],
      outputs: [
        OutputAccount(output: "a.csv", format: "csv", streams: [.init(stream: "a", written: 10, unwritten: 0)]),
        OutputAccount(
          output: "a.db", format: "sqlite", streams: [.init(stream: "a", written: 4, unwritten: 6)], error: "no",
          since: 1_795_272_907_000_000_000),
      ], losses: [], errors: ["no"], seconds: 2)
    XCTAssertTrue(
      account.text.hasSuffix(": 10 written; a.db has 4 and misses 6 (it failed at 2026-11-21T14:55:07.000Z)"),
      account.text)
    XCTAssertEqual(account.lost, 6, "it is no copy any more")
    account.errors = []
    XCTAssertFalse(account.text.contains("nothing lost"), account.text)
    account.errors = ["no"]
    account.outputs.removeFirst()
    XCTAssertTrue(account.text.hasSuffix(": 10 written"), "one output is the account")
  }

  func testWhatAFormatCannotHoldIsLost() {
    var left = stream("a")
    (left.written, left.unwritten) = (8, 2)
    let account = Account(streams: [left], losses: [], seconds: 2)
    XCTAssertEqual(account.lost, 2)
    XCTAssertTrue(account.text.hasSuffix("8 written, 2 not written (the format cannot hold them)"), account.text)
  }

  func testWhyAServerMissesReadings() {
    var counts = SendingCounts()
    XCTAssertNil(SendingAccount(counts).causeOfUnwritten)
    counts.dropped.add(3, 1...2)
    XCTAssertEqual(SendingAccount(counts).causeOfUnwritten, "the spool was full")
    counts.lost = 1
    XCTAssertEqual(SendingAccount(counts).causeOfUnwritten, "the spool was full, damaged in the spool")
  }

  /// What an earlier run had left is no reading of this run, and is lost all the same.
  func testWhatAnEarlierRunHadLeftInASpool() {
    var counts = SendingCounts()
    (counts.lost, counts.lostOfEarlierRun) = (7, 7)
    XCTAssertNil(SendingAccount(counts).causeOfUnwritten)
    var output = OutputAccount(
      output: "http://h/write", format: "influx", streams: [.init(stream: "a", written: 10, unwritten: 0)])
    output.sending = SendingAccount(counts)
    let account = Account(streams: [stream("a")], outputs: [output], losses: [], seconds: 2)
    XCTAssertTrue(
      account.text.hasSuffix(": 10 written, 7 of an earlier run could not be read in the spool"), account.text)
    XCTAssertEqual(account.lost, 7)
    XCTAssertTrue(account.json.text.contains(#""lost": 7, "lost_of_earlier_run": 7, "#), account.json.text)
  }

  func testWhatAReplayDidBesides() {
    var account = Account(
      command: .replay, streams: [stream("a")], losses: [], trace: ReplayedTrace(hasMetadata: false), seconds: 2)
    account.pace = PaceAccount(rate: 10)
    for lateness: Int64 in [0, 1_000_000, 1_000_001, 13_204_000] { account.pace?.add(lateness: lateness) }
    let counts = ReorderCounts()
    account.reorder = ReorderAccount(window: 50_000_000, counts)
    XCTAssertTrue(
      account.text.hasSuffix(
        "nothing lost in replay; none put into order; 2 readings came more than 1 ms late, 13.20 ms at most"),
      account.text)
    XCTAssertTrue(
      account.json.text.contains(
        #""pace": {"rate": 10, "late": 2, "greatest_lateness_ns": 13204000}, "#
          + #""reorder": {"window_ns": 50000000, "moved": 0, "late": 0, "early": 0}, "#), account.json.text)
    counts.moved.add(1_234, ordering: .relaxed)
    counts.late.add(2, ordering: .relaxed)
    counts.early.add(1, ordering: .relaxed)
    XCTAssertEqual(
      ReorderAccount(window: 50_000_000, counts).text,
      "1,234 put into order, 2 too late for this, 1 passed on before 50ms because too many waited")
  }

  func testJSON() throws {
    var account = Account(
      streams: [stream("a", dropped: 1)],
      outputs: [OutputAccount(output: "-", format: "csv", streams: [.init(stream: "a", written: 9, unwritten: 0)])],
      losses: [Loss(streams: ["a"], reason: "missing", count: 3)], lossesShown: .some, seconds: 2)
    XCTAssertEqual(
      account.json.text,
      #"{"version": 1, "command": "record", "seconds": 2, "received": 10, "written": 9, "late": 0, "dropped": 1, "#
        + #""suppressed": 0, "used": 0, "made": 0, "discarded": 0, "unwritten": 0, "unaccounted": 0, "lost": 4, "peak_held": 0, "#
        + #""streams": [{"stream": "a", "received": 10, "late": 0, "dropped": 1, "suppressed": 0, "used": 0, "made": 0, "discarded": 0, "#
        + #""written": 9, "unwritten": 0, "unaccounted": 0}], "outputs": [{"output": "-", "format": "csv", "#
        + #""streams": [{"stream": "a", "written": 9, "unwritten": 0, "dropped": 0, "synced": 0}]}], "#
        + #""losses": [{"streams": ["a"], "reason": "missing", "count": 3}], "losses_shown": "some", "#
        + #""stopped": false, "errors": []}"#)
    account.trace = ReplayedTrace(file: "t.csv", hasMetadata: true, state: .unfinished, values: .raw, errors: ["x"])
    account.losses.append(
      Loss(
        streams: ["a", "b"], reason: "removed", count: 2, first: 1, last: 2, countsReadings: false, isUncounted: true,
        isRecorded: true))
    account.unseen = ["b"]
    account.leftOutBy = ["every"]
    account.wasStopped = true
    account.pace = PaceAccount(rate: 2.5)
    account.pace?.add(lateness: 2_000_000)
    account.reorder = ReorderAccount(window: 5, ReorderCounts())
    XCTAssertEqual(try JSONDecoder().decode(Account.self, from: Data(account.json.text.utf8)), account)
    let newer = account.json.text.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2")
    XCTAssertThrowsError(try JSONDecoder().decode(Account.self, from: Data(newer.utf8)))
  }

  /// Readings are received from the lines, and written as those of the encoder.
  func testAStreamThatAStageMakesNamesItsInput() throws {
    let folder = TemporaryFolder()
    let path = folder.file(
      "in.csv", "time_ns,stream,channel,value\n1,a,level,0\n1,b,level,0\n2,a,level,1\n3,b,level,1\n")
    let plan = RecordingPlan(
      replay: ReplayPlan(path), stages: [.quadrature("a", "b", stream: "knob")],
      outputs: [OutputPlan(folder.file("out.csv"))])
    let recording = try Recording(plan)
    recording.start()
    let account = recording.wait()
    XCTAssertEqual(account.streams.map(\.input), ["a", nil])
    XCTAssertEqual(account.streams.map(\.stream), ["knob", "b"])
    XCTAssertTrue(account.text.hasSuffix("; a 2, b 2"), account.text)
    XCTAssertTrue(
      account.json.text.contains(#"{"stream": "knob", "input": "a", "received": 2,"#), account.json.text)
  }
}
