import XCTest

@testable import SluiceDevices

final class EdgeTests: XCTestCase {
  private func take(_ ordering: inout EdgeOrdering<String>, limit: Int = 9) -> [String] {
    var taken: [String] = []
    ordering.take(limit: limit) { taken.append($0) }
    return taken
  }

  func testOrderingHoldsBackWhatMayStillBeOvertaken() {
    var ordering = EdgeOrdering<String>(window: 10)
    XCTAssertNil(ordering.wait)
    ordering.add("b", time: 20)
    ordering.add("a", time: 15)
    ordering.add("c", time: 24)
    XCTAssertEqual(take(&ordering), [])
    XCTAssertEqual(ordering.wait, 1)
    ordering.add("d", time: 30)
    XCTAssertEqual(take(&ordering), ["a", "b"])
    ordering.add("x", time: 22)
    XCTAssertEqual(ordering.wait, 2)
    ordering.advance(by: 99)
    XCTAssertEqual(ordering.wait, 0)
    XCTAssertEqual(take(&ordering, limit: 1), ["x"])
    XCTAssertEqual(take(&ordering), ["c", "d"])
    XCTAssertNil(ordering.wait)
    ordering.advance(by: .max)
    ordering.add("e", time: 31)
    XCTAssertEqual(take(&ordering), ["e"])
  }

  func testWithNumbersNothingWaitsThatNeedNot() {
    var ordering = EdgeOrdering<String>(window: 10)
    ordering.add("a", time: 100, number: 1)
    XCTAssertEqual(take(&ordering), ["a"])
    ordering.add("c", time: 103, number: 3)
    XCTAssertEqual(take(&ordering), [])
    ordering.add("b", time: 102, number: 2)
    XCTAssertEqual(take(&ordering), ["b", "c"])
    ordering.add("f", time: 106, number: 6)
    ordering.advance(by: 9)
    XCTAssertEqual(take(&ordering), [], "4 and 5 may still come")
    ordering.advance(by: 1)
    XCTAssertEqual(take(&ordering), ["f"])
    ordering.add("g", time: 117, number: 7)
    XCTAssertEqual(take(&ordering), ["g"])
    ordering.add("e", time: 105, number: 5)
    XCTAssertEqual(take(&ordering), ["e"], "after its window")
    ordering.add("h", time: 118, number: 8)
    XCTAssertEqual(take(&ordering), ["h"], "8 still follows 7")
  }

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
