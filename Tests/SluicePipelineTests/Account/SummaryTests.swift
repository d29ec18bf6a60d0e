import SluiceDevices
import XCTest

@testable import SluicePipeline

final class SummaryTests: XCTestCase {
  private func account(_ name: String, dropped: Int = 0) -> StreamAccount {
    StreamAccount(name: name, received: 10, written: 10 - dropped, dropped: dropped, suppressed: 0, discarded: 0)
  }

  private func said(
    _ accounts: [StreamAccount], _ losses: [Loss] = [], _ coverage: DeviceLosses.Coverage = .all
  ) -> String {
    Summary(verb: "recorded", accounts: accounts, losses: losses, coverage: coverage, seconds: 2).text(.text)
  }

  func testThatNothingWasLostIsSaidOnlyWhereItWouldShow() {
    let start = "recorded 10 readings in 2.00 s (5.0/s): 10 written, "
    XCTAssertEqual(said([account("a")]), start + "nothing lost")
    XCTAssertEqual(said([account("a")], [Loss(label: "lost", count: 0)], .some), start + "no sign of a loss")
    XCTAssertEqual(said([account("a")], [], .none), start + "losses could not be seen")
    XCTAssertEqual(said([account("a")], [Loss(streams: ["a"], label: "lost", count: 1)], .none), start + "1 lost")
    let mixed = Summary(
      verb: "recorded", accounts: [account("a"), account("b")], losses: [], coverage: .none, unseen: ["b"], seconds: 2)
    XCTAssertTrue(mixed.text(.text).contains("no sign of a loss, but losses of b could not be seen"))
  }

  func testLateReadingsAreWrittenAndTold() {
    var late = account("a")
    late.late = 3
    let start = "recorded 10 readings in 2.00 s (5.0/s): 10 written, "
    XCTAssertEqual(said([late]), start + "3 came late, nothing lost")
    let summary = Summary(verb: "recorded", accounts: [late], losses: [], seconds: 2)
    XCTAssertTrue(summary.text(.json).contains(#""unwritten": 0, "late": 3}"#), summary.text(.json))
  }

  func testOccasionsAreNoReadings() {
    let removed = Loss(
      streams: ["a"], label: "times removed", count: 2, countsReadings: false, phrase: "removed 2 times")
    let summary = Summary(verb: "recorded", accounts: [account("a")], losses: [removed], coverage: .some, seconds: 2)
    XCTAssertEqual(summary.lost, 0)
    XCTAssertTrue(summary.text(.text).hasSuffix("10 written, removed 2 times"), summary.text(.text))
    XCTAssertTrue(summary.text(.json).contains(#""count": 2, "unit": "occasions""#), summary.text(.json))
  }

  func testAReplayTellsItsLossesFromThoseOfTheRecording() {
    func said(_ losses: [Loss], hasMetadata: Bool = true, _ coverage: DeviceLosses.Coverage = .some) -> String {
      Summary(
        verb: "replayed", accounts: [account("a")], losses: losses, coverage: coverage,
        trace: ReplayedTrace(file: "t.csv", hasMetadata: hasMetadata, state: .finished), seconds: 2
      ).text(.text)
    }
    let missed = Loss(streams: ["a"], label: "missing", count: 75, isRecorded: true)
    XCTAssertTrue(
      said([missed]).hasSuffix("10 written, nothing lost in replay; the recording missed 75"), said([missed]))
    XCTAssertTrue(said([]).hasSuffix("nothing lost in replay; no sign of a loss in the recording"))
    XCTAssertTrue(said([], .all).hasSuffix("nothing lost in replay; the recording lost nothing"))
    XCTAssertTrue(said([], .none).hasSuffix("nothing lost in replay; losses of the recording could not be seen"))
    XCTAssertTrue(said([], hasMetadata: false, .none).hasSuffix("nothing lost in replay"))
    let removed = Loss(streams: ["a"], label: "times removed", count: 2, countsReadings: false, isRecorded: true)
    XCTAssertTrue(
      said([missed, removed]).hasSuffix("the recording missed 75; in the recording 2 times removed"),
      said([missed, removed]))
  }

  func testWhatFailedHasNoVerdict() {
    let summary = Summary(verb: "replayed", accounts: [account("a")], losses: [], hasFailed: true, seconds: 2)
    XCTAssertTrue(summary.text(.text).hasSuffix(": 10 written"), summary.text(.text))
  }

  func testOfSeveralSourcesEachLossSaysWhose() {
    let losses = [Loss(streams: ["b"], label: "missing", count: 3), Loss(streams: ["a"], label: "missing", count: 4)]
    XCTAssertEqual(
      said([account("a"), account("b", dropped: 2)], losses),
      "recorded 20 readings in 2.00 s (10.0/s): 18 written, 2 dropped (buffer full), 3 missing of b, 4 missing of a; "
        + "a 10, b 10")
    XCTAssertTrue(said([account("a")], [Loss(streams: ["a"], label: "missing", count: 3)]).hasSuffix("3 missing"))
  }

  func testEstimatesMayBeHuge() {
    let losses = [Loss(label: "missing", count: .max), Loss(label: "missing", count: 1)]
    XCTAssertEqual(Summary(verb: "", accounts: [account("a")], losses: losses, seconds: 0).lost, .max)
  }

  func testJSON() {
    let summary = Summary(
      verb: "recorded", accounts: [account("a")], losses: [Loss(streams: ["a"], label: "missing", count: 3)],
      coverage: .some, seconds: 2)
    XCTAssertEqual(
      summary.text(.json),
      #"{"seconds": 2.000000, "received": 10, "written": 10, "unaccounted": 0, "unwritten": 0, "lost": [{"streams": "#
        + #"["a"], "reason": "missing", "count": 3}], "losses_shown": "some", "streams": [{"stream": "a", "#
        + #""received": 10, "written": 10, "dropped": 0, "suppressed": 0, "discarded": 0, "unwritten": 0, "late": 0}]}"#
    )
  }
}
