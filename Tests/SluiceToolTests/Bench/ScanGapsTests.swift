import XCTest

@testable import SluiceTool

final class ScanGapsTests: XCTestCase {
  private func missing(_ microseconds: [Int64], rate: Double = 1_000) -> Int {
    var gaps = ScanGaps(rate: rate)
    for time in microseconds { gaps.add(1_700_000_000_000_000_000 + time * 1_000) }
    return gaps.missing
  }

  func testWhatIsMissing() {
    XCTAssertEqual(missing([]), 0)
    XCTAssertEqual(missing([0, 1_000, 2_000]), 0)
    XCTAssertEqual(missing([0, 1_000, 4_000, 5_000]), 2)
    XCTAssertEqual(missing([0, 1_050, 2_100, 3_150]), 0, "a device 5 % slow misses nothing")
    XCTAssertEqual(missing([0, 1_000, 2_600, 3_000]), 0, "late is not missing")
    XCTAssertEqual(missing([0, 400, 800, 1_200]), 0, "faster than asked for")
  }

  func testTimesWithoutSense() {
    var gaps = ScanGaps(rate: 1_000)
    for time in [.min, .max, 0] as [Int64] { gaps.add(time) }
    // From the first time to the second the difference goes around to -1 ns, from there back by nearly half of all.
    XCTAssertEqual(gaps.missing, 0)
    gaps.add(.max)
    gaps.add(.min)
    XCTAssertEqual(gaps.missing, 0)
  }
}
