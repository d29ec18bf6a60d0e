import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class LossTests: XCTestCase {
  func testSaysWhatWhoseAndWhen() {
    let loss = Loss(
      streams: ["METER", "a \"b\""], reason: "lost", count: 1_234, first: 1_763_726_400_123_999_999,
      last: 1_763_726_401_000_000_000)
    XCTAssertEqual(loss.text(), "1,234 lost from 2025-11-21T12:00:00.123Z to 2025-11-21T12:00:01.000Z")
    XCTAssertEqual(
      loss.text(isNaming: true),
      "1,234 lost of METER, a \"b\" from 2025-11-21T12:00:00.123Z to 2025-11-21T12:00:01.000Z")
    XCTAssertEqual(
      loss.json.text,
      #"{"streams": ["METER", "a \"b\""], "reason": "lost", "count": 1234, "first_ns": 1763726400123999999, "#
        + #""last_ns": 1763726401000000000}"#)
    XCTAssertEqual(Loss(reason: "lost", count: 1, first: 0, last: 0).text(), "1 lost at 1970-01-01T00:00:00.000Z")
    XCTAssertEqual(Loss(reason: "ticks missed", count: 2).text(), "2 ticks missed")
    XCTAssertEqual(Loss(reason: "ticks missed", count: 2).json.text, #"{"reason": "ticks missed", "count": 2}"#)
  }

  func testTimesFromTheFirstToTheLastThereIs() {
    XCTAssertEqual(utcTime(-1), "1969-12-31T23:59:59.999Z")
    XCTAssertEqual(utcTime(.min), "1677-09-21T00:12:43.145Z")
  }
}
