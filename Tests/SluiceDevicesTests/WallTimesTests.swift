import SluiceReadings
import XCTest

@testable import SluiceDevices

final class WallTimesTests: XCTestCase {
  private let second: Int64 = 1_000_000_000
  private let clock = EpochClock(offset: 1_000_000_000_000)

  func testATimeIsMonotonicPlusTheOffsetOfTheRecording() {
    var times = WallTimes(clock, now: (10 * second, 500 * second))
    times.look((11 * second, 501 * second))
    let time = times.time(500 * second + 7)
    XCTAssertEqual(time.time, 1_010 * second + 7)
    XCTAssertFalse(time.isUncertain)
  }

  func testASlewedClockIsNotSet() {
    var times = WallTimes(clock, now: (0, 500 * second))
    times.look((1_000 * second, 1_500 * second + second / 2))
    let time = times.time(1_500 * second + second / 2)
    XCTAssertEqual(time.time, 2_000 * second)
    XCTAssertFalse(time.isUncertain)
  }

  func testTimesOfTheReadAfterASetAreFlaggedAndBetweenTheReads() {
    var times = WallTimes(clock, now: (10 * second, 500 * second))
    // Set by an hour after 10.6 s.
    times.look((11 * second, 4_101 * second))
    let before = times.time(500 * second + second / 2)
    XCTAssertEqual(before.time, 1_010 * second + second / 2)
    XCTAssertTrue(before.isUncertain)
    let after = times.time(4_100 * second + 9 * second / 10)
    XCTAssertEqual(after.time, 1_010 * second + 9 * second / 10)
    XCTAssertTrue(after.isUncertain)
    times.look((12 * second, 4_102 * second))
    XCTAssertFalse(times.time(4_101 * second + 1).isUncertain)
  }

  func testNoTimeIsOutsideOfTheReadsAfterASet() {
    var times = WallTimes(clock, now: (10 * second, 500 * second))
    times.look((11 * second, 4_101 * second))
    XCTAssertEqual(times.time(0).time, 1_010 * second)
    XCTAssertEqual(times.time(9_999 * second).time, 1_011 * second)
  }
}
