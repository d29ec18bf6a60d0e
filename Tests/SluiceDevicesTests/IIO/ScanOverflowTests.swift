import XCTest

@testable import SluiceDevices

final class ScanOverflowTests: XCTestCase {
  /// Reads of a FIFO of eight: how many, and how many were left; then which scans follow a gap and how often it was full.
  private func run(_ reads: [(count: Int, waiting: Int)], capacity: Int = 8) -> (gaps: [Int], counted: Int) {
    var overflow = ScanOverflow(capacity: capacity, findsGaps: true)
    var (gaps, counted, number) = ([Int](), 0, 0)
    for (count, waiting) in reads {
      if overflow.read(count, waiting: waiting) { counted += 1 }
      for _ in 0..<count {
        if overflow.next() { gaps.append(number) }
        number += 1
      }
    }
    return (gaps, counted)
  }

  func testTheGapIsBehindWhatItHeld() {
    XCTAssertEqual(run([(8, 0), (3, 0)]).gaps, [8])
    XCTAssertEqual(run([(2, 0), (3, 5), (3, 2), (3, 0)]).gaps, [10])
    XCTAssertEqual(run([(2, 0), (3, 5), (3, 2), (3, 0)]).counted, 1)
  }

  func testALongBurstIsNoFullFIFO() {
    let reads = (0..<100).map { _ in (count: 4, waiting: 3) }
    XCTAssertEqual(run(reads).counted, 0)
    XCTAssertEqual(run(reads).gaps, [])
  }

  func testOneThatStaysFullIsCountedOnceForWhatItHeld() {
    let found = run((0..<20).map { _ in (count: 1, waiting: 7) })
    XCTAssertEqual(found.counted, 3)
    XCTAssertEqual(found.gaps, Array(8..<20))
  }

  func testNothingIsFoundWhereNobodyKnowsWhatItHolds() {
    XCTAssertEqual(run([(8, 1_000)], capacity: 0).counted, 0)
  }

  func testWhatWasBeforeARemovalIsForgotten() {
    var overflow = ScanOverflow(capacity: 4, findsGaps: true)
    XCTAssertTrue(overflow.read(1, waiting: 3))
    _ = overflow.next()
    XCTAssertTrue(overflow.isHeld)
    overflow.interrupt()
    XCTAssertFalse(overflow.isHeld)
    XCTAssertFalse(overflow.read(3, waiting: 0))
    for _ in 0..<9 { XCTAssertFalse(overflow.next()) }
  }
}
