import XCTest

@testable import SluiceDevices

final class FIFOLevelTests: XCTestCase {
  func testTheMostThatWasWaiting() {
    let fifo = FIFOLevel(capacity: 100)
    XCTAssertEqual(fifo.highest, 0)
    fifo.add(read: 3, of: 16, most: 16)
    fifo.add(read: 2, of: 16, most: 16)
    XCTAssertEqual(fifo.highest, 3)
  }

  func testAReadThatLeavesSomethingBehindCountsWithTheNext() {
    let fifo = FIFOLevel(capacity: 40)
    fifo.add(read: 16, of: 16, most: 16)
    fifo.add(read: 5, of: 16, most: 16)
    XCTAssertEqual(fifo.highest, 21)
    fifo.add(read: 16, of: 16, most: 16)
    XCTAssertEqual(fifo.highest, 21)
    for _ in 0..<5 { fifo.add(read: 16, of: 16, most: 16) }
    XCTAssertEqual(fifo.highest, 40, "no more than there can be")
  }

  func testLittleDemandIsNoFullFIFO() {
    let fifo = FIFOLevel(capacity: 1_024)
    for _ in 0..<5_000 { fifo.add(read: 1, of: 1, most: 16) }
    XCTAssertEqual(fifo.highest, 1)
    fifo.add(read: 16, of: 16, most: 16)
    fifo.add(read: 4, of: 4, most: 16)
    fifo.add(read: 5, of: 16, most: 16)
    XCTAssertEqual(fifo.highest, 16)
  }
}
