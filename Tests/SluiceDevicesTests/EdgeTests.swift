import XCTest

@testable import SluiceDevices

final class EdgeTests: XCTestCase {
  func testOrderingHoldsBackWhatMayStillBeOvertaken() {
    var ordering = EdgeOrdering<String>(window: 10)
    ordering.add("b", time: 20)
    ordering.add("a", time: 15)
    ordering.add("c", time: 25)
    XCTAssertEqual(ordering.take(olderThan: 24, limit: 9), [])
    XCTAssertEqual(ordering.take(olderThan: 30, limit: 9), ["a", "b"])
    ordering.add("x", time: 22)
    XCTAssertEqual(ordering.take(olderThan: 99, limit: 1), ["x"])
    XCTAssertFalse(ordering.isEmpty)
    XCTAssertEqual(ordering.take(olderThan: 99, limit: 9), ["c"])
    XCTAssertTrue(ordering.isEmpty)
    XCTAssertEqual(ordering.take(olderThan: 3, limit: 9), [], "a clock that has just begun")
  }

  func testWithNumbersNothingWaitsThatNeedNot() {
    var ordering = EdgeOrdering<String>(window: 10)
    ordering.add("a", time: 100, number: 1)
    XCTAssertEqual(ordering.take(olderThan: 100, limit: 9), ["a"])
    ordering.add("c", time: 103, number: 3)
    XCTAssertEqual(ordering.take(olderThan: 104, limit: 9), [])
    ordering.add("b", time: 102, number: 2)
    XCTAssertEqual(ordering.take(olderThan: 104, limit: 9), ["b", "c"])
    ordering.add("f", time: 106, number: 6)
    XCTAssertEqual(ordering.take(olderThan: 115, limit: 9), [], "4 and 5 may still come")
    XCTAssertEqual(ordering.take(olderThan: 116, limit: 9), ["f"])
    ordering.add("g", time: 117, number: 7)
    XCTAssertEqual(ordering.take(olderThan: 117, limit: 9), ["g"])
  }

  func testGapsInTheNumbersAreExact() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertEqual(loss.check(rising: true, seqno: 1), EdgeLoss.Finding())
    XCTAssertEqual(loss.check(rising: false, seqno: 2), EdgeLoss.Finding())
    XCTAssertEqual(
      loss.check(rising: false, seqno: 6), EdgeLoss.Finding(skipped: 3), "the numbers explain the repetition")
    XCTAssertEqual(loss.check(rising: true, seqno: 7), EdgeLoss.Finding())
  }

  func testTheFirstNumberCountsToo() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertEqual(loss.check(rising: true, seqno: 5).skipped, 4)
  }

  func testNumbersGoAround() {
    var loss = EdgeLoss(alternates: false)
    _ = loss.check(rising: true, seqno: .max)
    XCTAssertEqual(loss.check(rising: true, seqno: 2).skipped, 2, "0 and 1")
  }

  func testEqualEdgesInARow() {
    var loss = EdgeLoss(alternates: true)
    XCTAssertFalse(loss.check(rising: true, seqno: 0).repeated)
    XCTAssertTrue(loss.check(rising: true, seqno: 0).repeated)
    XCTAssertFalse(loss.check(rising: false, seqno: 0).repeated)
    var rising = EdgeLoss(alternates: false)
    _ = rising.check(rising: true, seqno: 0)
    XCTAssertFalse(rising.check(rising: true, seqno: 0).repeated, "only rising edges were asked for")
  }
}
