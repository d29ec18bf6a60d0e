import XCTest

@testable import SluiceDevices

final class FIFOFullnessTests: XCTestCase {
  /// A FIFO of four: reads, each with its moment, how much it could take and the times that it took.
  private func findings(
    _ reads: [(moment: UInt64?, room: Int, times: [UInt64])], capacity: Int = 4
  ) -> [FIFOFullness.Finding?] {
    var fullness = FIFOFullness(capacity: capacity)
    return reads.flatMap { read in
      fullness.begin(at: read.moment)
      let findings = read.times.map { fullness.take(time: $0) }
      fullness.end(isEmpty: read.times.count < read.room)
      return findings
    }
  }

  func testAReadOfAllThatItHolds() {
    XCTAssertEqual(findings([(10, 9, [1, 2, 3, 4])]), [nil, nil, nil, .first])
    XCTAssertEqual(findings([(10, 9, [1, 2, 3])]), [nil, nil, nil])
  }

  /// The fourth came while the others were being read.
  func testWhatComesDuringAReadWasNotThere() {
    XCTAssertEqual(findings([(3, 9, [1, 2, 3, 4])]), [nil, nil, nil, nil])
    XCTAssertEqual(findings([(5, 9, [1, 2, 3, 4, 6, 7])]), [nil, nil, nil, .first, nil, nil])
  }

  func testReadsThatTakeLittleFindItAsWell() {
    let reads = (1...4).map { (moment: UInt64(9 + $0) as UInt64?, room: 1, times: [UInt64($0)]) }
    XCTAssertEqual(findings(reads), [nil, nil, nil, .first])
    XCTAssertEqual(findings([(9, 3, [1, 2, 3]), (10, 3, [4])]), [nil, nil, nil, .first])
  }

  /// It is filled as fast as it is emptied, for ever, and never full.
  func testABurstThatIsReadAsItComesIsNoFullFIFO() {
    let reads = (0..<100).map { number -> (moment: UInt64?, room: Int, times: [UInt64]) in
      let first = UInt64(number * 3)
      return (first + 2, 3, [first, first + 1, first + 2])
    }
    XCTAssertEqual(findings(reads).filter { $0 != nil }.count, 0)
  }

  func testAReadThatLeavesNothingBehindEndsWhatWasBefore() {
    XCTAssertEqual(findings([(10, 9, [1, 2, 3]), (11, 9, [4, 5, 6])]), Array(repeating: nil, count: 6))
  }

  /// Full before each of these reads: the next one that comes may follow a gap each time, and is counted once a content.
  func testOneThatStaysFullIsCountedOnceForWhatItHeld() {
    let reads = (1...12).map { (moment: UInt64($0 + 3) as UInt64?, room: 1, times: [UInt64($0)]) }
    let found = findings(reads)
    XCTAssertEqual(found.prefix(3), [nil, nil, nil])
    XCTAssertEqual(
      Array(found.dropFirst(3)), [.first, .again, .again, .again, .first, .again, .again, .again, .first])
    XCTAssertEqual(
      findings([(9, 4, [1, 2, 3, 4]), (19, 4, [11, 12, 13, 14])]), [nil, nil, nil, .first, nil, nil, nil, .first])
  }

  /// Times of a hardware engine cannot be compared with a clock.
  func testWithoutAClockOnlyOneReadCounts() {
    XCTAssertEqual(findings([(nil, 9, [1, 2, 3, 4])]), [nil, nil, nil, .first])
    XCTAssertEqual(findings([(nil, 3, [1, 2, 3]), (nil, 3, [4])]), [nil, nil, nil, nil])
  }

  func testNothingIsFoundWhereNobodyKnowsWhatItHolds() {
    XCTAssertEqual(findings([(10, 9, [1, 2, 3, 4])], capacity: 0), [nil, nil, nil, nil])
    XCTAssertEqual(findings([(10, 9, [1, 2])], capacity: 1), [.first, nil])
  }
}
