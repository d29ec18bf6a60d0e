import SluiceReadings
import XCTest

@testable import SluiceDevices

final class WallTimesTests: XCTestCase {
  private typealias Look = WallTimes.Look
  private let second: Int64 = 1_000_000_000
  private let clock = EpochClock(offset: 1_000_000_000_000)

  func testATimeIsMonotonicPlusTheOffsetOfTheRecording() {
    var times = WallTimes(clock, now: Look(monotonic: 10 * second, wall: 500 * second))
    times.look(Look(monotonic: 11 * second, wall: 501 * second))
    let time = times.time(500 * second + 7)
    XCTAssertEqual(time.time, 1_010 * second + 7)
    XCTAssertFalse(time.isUncertain)
  }

  /// A preemption between the two clocks makes a look wide.
  func testAWideLookMovesNoTime() {
    var times = WallTimes(clock, now: Look(monotonic: 10 * second, wall: 500 * second))
    for width in [5_000_000, 40, 0, 900_000] as [Int64] {
      times.look(Look(monotonic: 11 * second, offsets: 490 * second - width...490 * second))
      let time = times.time(501 * second)
      XCTAssertEqual(time.time, 1_011 * second)
      XCTAssertFalse(time.isUncertain)
    }
  }

  func testAPoorFirstLookIsMended() {
    var times = WallTimes(clock, now: Look(monotonic: 10 * second, offsets: 489 * second...490 * second))
    times.look(Look(monotonic: 11 * second, offsets: 490 * second - 10...490 * second + 50))
    XCTAssertEqual(times.time(501 * second).time, 1_011 * second + 5)
    XCTAssertFalse(times.time(501 * second).isUncertain)
  }

  func testASmallJumpIsFound() {
    var times = WallTimes(clock, now: Look(monotonic: 10 * second, offsets: 490 * second - 100...490 * second + 100))
    times.look(Look(monotonic: 11 * second, offsets: 490 * second - 100...490 * second + 5_000_000))
    times.look(Look(monotonic: 12 * second, offsets: 490 * second + 4_000...490 * second + 4_200))
    XCTAssertTrue(times.time(501 * second).isUncertain)
    times.look(Look(monotonic: 13 * second, wall: 503 * second + 4_100))
    XCTAssertEqual(times.time(503 * second + 4_100).time, 1_013 * second)
  }

  func testTimesOfTheReadAfterASetAreFlaggedAndBetweenTheReads() {
    var times = WallTimes(clock, now: Look(monotonic: 10 * second, wall: 500 * second))
    // Set by an hour after 10.6 s.
    times.look(Look(monotonic: 11 * second, wall: 4_101 * second))
    let before = times.time(500 * second + second / 2)
    XCTAssertEqual(before.time, 1_010 * second + second / 2)
    XCTAssertTrue(before.isUncertain)
    let after = times.time(4_100 * second + 9 * second / 10)
    XCTAssertEqual(after.time, 1_010 * second + 9 * second / 10)
    XCTAssertTrue(after.isUncertain)
    times.look(Look(monotonic: 12 * second, wall: 4_102 * second))
    XCTAssertFalse(times.time(4_101 * second + 1).isUncertain)
  }

  func testNoTimeIsOutsideOfTheReadsAfterASet() {
    var times = WallTimes(clock, now: Look(monotonic: 10 * second, wall: 500 * second))
    times.look(Look(monotonic: 11 * second, wall: 4_101 * second))
    XCTAssertEqual(times.time(0).time, 1_010 * second)
    XCTAssertEqual(times.time(9_999 * second).time, 1_011 * second)
  }
}

extension WallTimes.Look {
  /// One that knows the offset exactly.
  init(monotonic: Int64, wall: Int64) {
    self.init(monotonic: monotonic, offsets: wall - monotonic...wall - monotonic)
  }
}
