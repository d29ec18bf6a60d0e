import XCTest

@testable import SluiceDevices

final class DropCounterTests: XCTestCase {
  func testWrap() {
    var counter = DropCounter(UInt32.max - 2)
    XCTAssertEqual(counter.advance(to: .max), 2)
    XCTAssertEqual(counter.advance(to: 3), 4, "the counter has gone over 2^32")
    XCTAssertEqual(counter.advance(to: 3), 0)
  }

  /// A frame that waited in the buffer has an older count than the one that was asked for.
  func testOlderCounts() {
    var counter = DropCounter()
    XCTAssertEqual(counter.advance(to: 10), 10)
    XCTAssertEqual(counter.advance(to: 4), 0)
    XCTAssertEqual(counter.advance(to: 12), 2)
    counter = DropCounter(.max)
    XCTAssertEqual(counter.advance(to: 5), 6)
    XCTAssertEqual(counter.advance(to: .max), 0)
    XCTAssertEqual(counter.advance(to: 6), 1)
  }

  func testRandomWalk() {
    var (total, counted, older) = (UInt64(UInt32.max) - 1_000, 0, UInt64(0))
    let start = total
    var counter = DropCounter(UInt32(truncatingIfNeeded: total))
    for _ in 0..<10_000 {
      total += .random(in: 0...5)
      counted += counter.advance(to: UInt32(truncatingIfNeeded: total))
      older = .random(in: 0...500)
      XCTAssertEqual(counter.advance(to: UInt32(truncatingIfNeeded: total - older)), 0)
    }
    XCTAssertEqual(UInt64(counted), total - start)
  }

  func testHardwareTimes() {
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
  func testHardwareTimesWhenTheWallClockWasSet() {
    var times = HardwareTimes()
    XCTAssertEqual(times.time(1_000, kernel: 5_000_100, isUncertain: true), 5_000_100, "nothing is known yet")
    XCTAssertEqual(times.time(1_000, kernel: 5_000_100), 5_000_100)
    XCTAssertEqual(times.time(2_000, kernel: 1_000, isUncertain: true), 5_001_100)
    XCTAssertEqual(times.time(3_000, kernel: 900_000_000, isUncertain: true), 5_002_100)
    XCTAssertEqual(times.time(4_000, kernel: 5_003_200), 5_003_100, "the offset is as before")
    XCTAssertEqual(times.time(5, kernel: 60_000_000_000, isUncertain: true), 60_000_000_000, "it began anew")
  }
}
