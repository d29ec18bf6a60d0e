import SluicePipeline
import XCTest

final class TraceInstantTests: XCTestCase {
  func testTexts() {
    XCTAssertEqual(TraceInstant("10s"), .after(.seconds(10)))
    for text in ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00", "2026-11-21 13:00:00+01:00"] {
      XCTAssertEqual(TraceInstant(text)?.description, "2026-11-21T12:00:00Z", text)
    }
    XCTAssertEqual(TraceInstant("2026-11-21")?.description, "2026-11-21T00:00:00Z")
    for text in ["", "10", "-10s", "13:00", "2026-13-01", "yesterday"] { XCTAssertNil(TraceInstant(text), text) }
  }

  func testEveryMomentComesBackFromItsText() {
    let random = (0..<10_000).map { _ in
      let time = Int64.random(in: -2_000_000_000_000_000_000...9_000_000_000_000_000_000)
      return Bool.random() ? time - time % 1_000_000 : time
    }
    for time in random + [.min, .max, -1, 0] {
      for instant in [TraceInstant.date(time), .after(.nanoseconds(max(1, time)))] {
        XCTAssertEqual(TraceInstant(instant.description), instant, instant.description)
      }
    }
  }
}
