import XCTest

@testable import SluiceDevices

final class FIFOLevelTests: XCTestCase {
  func testTheMostThatWasWaiting() {
    let fifo = FIFOLevel(capacity: 100)
    XCTAssertEqual(fifo.highest, 0)
    fifo.add(read: 3, of: 16)
    fifo.add(read: 2, of: 16)
    XCTAssertEqual(fifo.highest, 3)
  }

  func testAReadThatLeavesSomethingBehindCountsWithTheNext() {
    let fifo = FIFOLevel(capacity: 40)
    fifo.add(read: 16, of: 16)
    fifo.add(read: 5, of: 16)
    XCTAssertEqual(fifo.highest, 21)
    fifo.add(read: 16, of: 16)
    XCTAssertEqual(fifo.highest, 21)
    for _ in 0..<5 { fifo.add(read: 16, of: 16) }
    XCTAssertEqual(fifo.highest, 40, "no more than there can be")
  }

  func testWhatTheKernelKeepsForAGPIORequest() {
    XCTAssertEqual(GPIORequest.fifoCapacity(nil), 16)
    XCTAssertEqual([1, 2, 100, 1_024, 5_000].map { GPIORequest.fifoCapacity($0) }, [2, 2, 128, 1_024, 1_024])
  }
}
