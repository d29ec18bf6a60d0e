import XCTest

@testable import SluiceDevices

final class EdgeOrderingTests: XCTestCase {
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

  func testNumbersGoAroundByWayOfZero() {
    var ordering = EdgeOrdering<String>(window: 10)
    for number in [1, .max / 2, .max] as [UInt32] { ordering.add("a", time: 100, number: number) }
    ordering.advance(by: 10)
    XCTAssertEqual(take(&ordering), ["a", "a", "a"])
    ordering.add("c", time: 113, number: 1)
    XCTAssertFalse(ordering.isDue)
    ordering.add("b", time: 112, number: 0)
    XCTAssertTrue(ordering.isDue)
    XCTAssertEqual(take(&ordering), ["b", "c"])
  }

  func testTheLastTimeThereIsDoesNotHoldForEver() {
    var ordering = EdgeOrdering<String>(window: 10)
    ordering.add("a", time: .max - 1)
    XCTAssertEqual(take(&ordering), [])
    ordering.advance(by: ordering.wait ?? 0)
    XCTAssertEqual(ordering.wait, 0)
    XCTAssertEqual(take(&ordering), ["a"])
  }

  func testAClockThatIsSetBackKeepsTheOrderOfTheNumbers() {
    var ordering = EdgeOrdering<String>(window: 10, byNumber: true)
    ordering.add("b", time: 1_000, number: 2)
    ordering.add("d", time: 500, number: 4)
    ordering.add("c", time: 499, number: 3)
    XCTAssertEqual(take(&ordering), [], "1 may still come, as late as before")
    XCTAssertEqual(ordering.wait, 10)
    ordering.add("a", time: 998, number: 1)
    XCTAssertEqual(take(&ordering), ["a", "b", "c", "d"])
    ordering.add("f", time: 500, number: .max)
    ordering.add("g", time: 400, number: 0)
    ordering.advance(by: 10)
    XCTAssertEqual(take(&ordering), ["f", "g"], "numbers go around")
  }
}
