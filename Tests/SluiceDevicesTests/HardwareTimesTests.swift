import XCTest

@testable import SluiceDevices

final class HardwareTimesTests: XCTestCase {
  func testTheSmallestDifferenceIsTheOffset() {
    var times = HardwareTimes()
    XCTAssertEqual(times.time(1_000, kernel: 5_000_100), 5_000_100, "one time says nothing about the delay")
    XCTAssertEqual(times.time(2_000, kernel: 5_001_050), 5_001_050, "a shorter delay")
    XCTAssertEqual(times.time(3_000, kernel: 5_900_000), 5_002_050, "a longer one")
    // The clock of the controller is 100 parts per million too slow: the offset follows, two windows behind at most.
    var worst: Int64 = 0
    for step in Int64(1)...1_000 {
      let kernel = 5_000_000 + step * 50_000_000
      let time = times.time(1_000 + step * 49_995_000, kernel: kernel)
      worst = max(worst, abs(time - kernel))
    }
    XCTAssertLessThanOrEqual(worst, 1_100_000)
    // A controller that begins anew.
    XCTAssertEqual(times.time(5, kernel: 60_000_000_000), 60_000_000_000)
  }

  /// The kernel's time may be wrong by the jump then, so it changes no offset.
  func testTheWallClockWasSet() {
    var times = HardwareTimes()
    XCTAssertEqual(times.time(1_000, kernel: 5_000_100, isUncertain: true), 5_000_100, "nothing is known yet")
    XCTAssertEqual(times.time(1_000, kernel: 5_000_100), 5_000_100)
    XCTAssertEqual(times.time(2_000, kernel: 1_000, isUncertain: true), 5_001_100)
    XCTAssertEqual(times.time(3_000, kernel: 900_000_000, isUncertain: true), 5_002_100)
    XCTAssertEqual(times.time(4_000, kernel: 5_003_200), 5_003_100, "the offset is as before")
    XCTAssertEqual(times.time(5, kernel: 60_000_000_000, isUncertain: true), 60_000_000_000, "it began anew")
  }
}
