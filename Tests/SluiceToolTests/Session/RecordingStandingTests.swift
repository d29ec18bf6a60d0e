import SluicePipeline
import SluiceRecording
import XCTest

@testable import SluiceTool

final class RecordingStandingTests: XCTestCase {
  func testTheLine() {
    XCTAssertEqual(
      RecordingStanding(received: 12_345, lost: 18, fill: 3, sinceLoss: 2.08, seconds: 12.44).text(rate: 998.4),
      "12,345 readings, 998/s, buffer 3 %, lost 18, the last 2.1 s ago, 12.4 s")
    XCTAssertEqual(
      RecordingStanding(received: 1, seconds: 0, isPaused: true).text(rate: 0.1),
      "paused, 1 reading, 0.1/s, lost 0, 0.0 s")
    XCTAssertEqual(
      RecordingStanding(received: 2, sinceLoss: 61, seconds: 90).text(rate: 1),
      "2 readings, 1.0/s, last loss 61 s ago, 90.0 s")
  }

  func testANarrowWindowLeavesOutWholeParts() {
    let standing = RecordingStanding(
      received: 12_345, lost: 18, fill: 3, sinceLoss: 2.08, seconds: 12.44, isPaused: true)
    func line(_ columns: Int) -> String { standing.text(rate: 998.4, keys: "q: end", columns: columns) }
    XCTAssertEqual(
      line(90), "paused, 12,345 readings, 998/s, buffer 3 %, lost 18, the last 2.1 s ago, 12.4 s (q: end)")
    XCTAssertEqual(line(80), "paused, 12,345 readings, 998/s, buffer 3 %, lost 18 (q: end)")
    XCTAssertEqual(line(60), "paused, 12,345 readings, buffer 3 %, lost 18 (q: end)")
    XCTAssertEqual(line(42), "paused, 12,345 readings, lost 18 (q: end)")
    XCTAssertEqual(line(40), "paused, 12,345 readings, lost 18")
    XCTAssertEqual(line(20), "paused, lost 18")
    XCTAssertEqual(line(5), "paused, lost 18", "the console cuts it")
  }

  func testLossesThatCannotBeSeenAreNotNone() {
    XCTAssertEqual(
      RecordingStanding(received: 2, lossesShow: false, seconds: 1).text(rate: 2),
      "2 readings, 2.0/s, losses cannot be seen, 1.0 s")
  }

  /// A script may ring if a count is not 0.
  func testReadingsOnTheirWayAreNotUnaccounted() {
    let account = Account(
      streams: [StreamAccount(stream: "a", received: 12, written: 7, unaccounted: 5)], losses: [], lossesShown: .all,
      seconds: 1)
    XCTAssertEqual(account.unaccounted, 5)
    let text = RecordingStanding(received: 12, seconds: 1).document(account, marks: [], process: 1).text
    XCTAssertFalse(text.contains(#""unaccounted": 5"#), text)
    XCTAssertTrue(text.contains(#""unaccounted": 0"#), text)
    XCTAssertTrue(text.contains(#""on_the_way": 5"#), text)
  }

  func testTheRateIsThatOfTheLastSecond() {
    let window = RateWindow(length: 1)
    XCTAssertEqual(window.rate(received: 0, at: 0), 0)
    XCTAssertEqual(window.rate(received: 500, at: 0.5), 1_000)
    XCTAssertEqual(window.rate(received: 1_000, at: 1), 1_000)
    XCTAssertEqual(window.rate(received: 1_000, at: 1.5), 500)
    XCTAssertEqual(window.rate(received: 1_000, at: 2), 0)
    XCTAssertEqual(window.rate(received: 1_000, at: 7), 0)
    XCTAssertEqual(window.rate(received: 7_000, at: 9), 3_000)
  }
}
