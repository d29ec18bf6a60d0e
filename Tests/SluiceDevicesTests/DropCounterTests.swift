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
}
