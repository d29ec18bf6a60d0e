import XCTest

@testable import SluiceDevices

final class EdgeGatheringTests: XCTestCase {
  func testGatheringFollowsTheRate() {
    let millisecond: UInt64 = 1_000_000
    var gathering = EdgeGathering(capacity: 16)
    var time: UInt64 = 5_000 * millisecond
    func read(_ count: Int, after milliseconds: UInt64) -> UInt64 {
      time += milliseconds * millisecond
      gathering.read(count, newest: time)
      return gathering.milliseconds
    }
    XCTAssertEqual(read(1, after: 0), 1, "the first")
    XCTAssertEqual(read(1, after: 4), 2, "growing")
    XCTAssertEqual(read(1, after: 4), 4)
    XCTAssertEqual(read(1, after: 4), 8)
    XCTAssertEqual(read(2, after: 8), 10, "no longer than the longest")
    XCTAssertEqual(read(10, after: 10), 4, "a quarter of the FIFO at one a millisecond")
    XCTAssertEqual(read(16, after: 4), 1)
    XCTAssertEqual(read(16, after: 1), 0, "no time")
    XCTAssertEqual(read(1, after: 4), 2)
    XCTAssertEqual(read(1, after: 5_000), 1, "a burst may follow a silence")
    XCTAssertEqual(read(0, after: 0), 0, "nothing came")
    gathering.read(1, newest: time + 9, isAll: false)
    XCTAssertEqual(gathering.milliseconds, 0, "more is there")
    time -= 100 * millisecond
    XCTAssertEqual(read(3, after: 0), 1, "a clock that was set back")
  }
}
