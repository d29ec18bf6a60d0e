import XCTest

@testable import SluiceTool

final class WatchdogTests: XCTestCase {
  func testTheEnvironment() {
    XCTAssertNil(Watchdog(period: nil, process: nil))
    for wrong in ["", "0", "-1", "a minute", "99999999999999999999"] {
      XCTAssertNil(Watchdog(period: wrong, process: nil), wrong)
    }
    XCTAssertNil(Watchdog(period: "60000000", process: "2", own: 1), "it is the watchdog of another process")
    XCTAssertEqual(Watchdog(period: "60000000", process: "1", own: 1)?.interval, 30_000_000_000)
    XCTAssertEqual(Watchdog(period: "500000", process: nil)?.interval, 250_000_000)
    XCTAssertEqual(Watchdog(period: "1", process: nil)?.interval, 500)
    XCTAssertEqual(Watchdog(period: "\(Int64.max)", process: nil)?.interval, Int64.max / 2)
  }

  func testItAsksOnceUntilItIsAnswered() throws {
    var watchdog = try XCTUnwrap(Watchdog(period: "1000000", process: nil))
    XCTAssertTrue(watchdog.tick())
    XCTAssertFalse(watchdog.tick())
    XCTAssertFalse(watchdog.tick())
    watchdog.answered()
    XCTAssertTrue(watchdog.tick())
  }
}
