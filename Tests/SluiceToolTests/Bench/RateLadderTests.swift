import SluiceDevices
import XCTest

@testable import SluiceTool

final class RateLadderTests: XCTestCase {
  private func rates(_ current: String, _ available: String?) -> [String] {
    RateLadder(IIOSamplingRate(current: current, available: available)).rates
  }

  func testThoseThatTheDeviceNames() {
    XCTAssertEqual(rates("100", "100 12.5 25.000000 50"), ["12.5", "25.000000", "50", "100"])
    XCTAssertEqual(rates("100", "0 fast 50"), ["50"])
  }

  func testClimbsUntilARateHasLostTwice() {
    var ladder = RateLadder(IIOSamplingRate(current: "1", available: "1 2 4 8"))
    var tried: [String] = []
    for lost in [false, true, false, true, true, false] {
      tried.append(ladder.current ?? "-")
      ladder.report(lost: lost)
    }
    XCTAssertEqual(tried, ["1", "2", "2", "4", "4", "-"])
    XCTAssertEqual(ladder.highest, "2")
    var perfect = RateLadder(IIOSamplingRate(current: "1", available: "1 2"))
    for _ in 0..<2 { perfect.report(lost: false) }
    XCTAssertNil(perfect.current)
    XCTAssertEqual(perfect.highest, "2")
  }

  func testTwiceAsFastEachTime() {
    XCTAssertEqual(rates("100.000000", "[10 1 500]"), ["100", "200", "400"])
    XCTAssertEqual(rates("12.5", nil).prefix(3), ["12.500", "25", "50"])
    XCTAssertEqual(rates("1000", nil).last, "64000")
    XCTAssertEqual(rates("1000", "").count, 7)
    XCTAssertEqual(rates("0.000001", nil).prefix(2), ["1", "2"], "a run takes a second")
    XCTAssertEqual(rates("0.25", "[0.125 0.125 0.5]"), [])
    for nonsense in ["", "0", "-1", "nan", "inf", "fast"] { XCTAssertEqual(rates(nonsense, nil), [], nonsense) }
  }
}
