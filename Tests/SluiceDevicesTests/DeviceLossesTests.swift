import XCTest

@testable import SluiceDevices

final class DeviceLossesTests: XCTestCase {
  func testEachSignIsCountedApartWithItsFirstAndLastTime() {
    let losses = DeviceLosses()
    XCTAssertEqual(losses.all, [])
    losses.add(.repeated, at: 5)
    losses.add(.skipped, 3, at: 10)
    losses.add(.skipped, 0, at: 15)
    losses.add(.skipped, 4, at: 20)
    XCTAssertEqual(losses.all.map(\.sign), [.skipped, .repeated])
    XCTAssertEqual(losses[.skipped].count, 7)
    XCTAssertEqual(losses[.skipped].first, 10)
    XCTAssertEqual(losses[.skipped].last, 20)
    XCTAssertEqual(losses[.late].count, 0)
    XCTAssertNil(losses[.late].first)
  }

  /// Of several lines, each with a FIFO of its own, the second that is read may have been full before the first.
  func testFirstAndLastAreThoseOfTime() {
    let losses = DeviceLosses()
    for time: Int64 in [20, 10, 30, 15] { losses.add(.full, at: time) }
    XCTAssertEqual(losses[.full].first, 10)
    XCTAssertEqual(losses[.full].last, 30)
  }

  func testACountThatIsTooLargeStaysThere() {
    let losses = DeviceLosses()
    losses.add(.missed, .max, at: 1)
    losses.add(.missed, 2, at: 2)
    XCTAssertEqual(losses[.missed].count, .max)
  }

  func testLabelsTellThemApart() {
    XCTAssertEqual(Set(DeviceLosses.Sign.allCases.map(\.label)).count, DeviceLosses.Sign.allCases.count)
  }

  func testOccasionsAreNoReadings() {
    let losses = DeviceLosses()
    for sign in DeviceLosses.Sign.allCases { losses.add(sign, 2, at: 1) }
    XCTAssertEqual(losses.all.filter { !$0.isCountOfReadings }.map(\.sign), [.repeated, .removed, .full, .overrun])
  }

  func testAFullFIFOMattersWhereNothingElseCounts() {
    for (countsAll, expected) in [(true, false), (false, true)] {
      let losses = DeviceLosses(coverage: .some, countsAll: countsAll)
      losses.add(.mismatched, at: 1)
      XCTAssertFalse(losses.mayHaveUncountedLosses)
      losses.add(.full, at: 2)
      XCTAssertEqual(losses.mayHaveUncountedLosses, expected)
    }
  }

  func testACountIsASentence() {
    let losses = DeviceLosses()
    func text(_ sign: DeviceLosses.Sign, adding count: Int) -> String {
      losses.add(sign, count, at: 1)
      return losses[sign].description
    }
    XCTAssertEqual(text(.removed, adding: 1), "removed once")
    XCTAssertEqual(text(.removed, adding: 1), "removed 2 times")
    XCTAssertEqual(text(.full, adding: 1), "the kernel's FIFO was found full once")
    XCTAssertEqual(text(.failed, adding: 1), "1 read failed")
    XCTAssertEqual(text(.missed, adding: 1_234), "1,234 reads missed")
    XCTAssertEqual(
      text(.repeated, adding: 3), "two equal edges in a row 3 times (an edge was lost, or a level was read late)")
    XCTAssertEqual(text(.mismatched, adding: 3), "at least 3 lost (the levels before and after do not fit)")
    XCTAssertEqual(text(.late, adding: 75), "75 missing (gaps in time)")
    XCTAssertEqual(text(.late, adding: 1_000_000), "1,000,075 missing (gaps in time)")
  }
}
