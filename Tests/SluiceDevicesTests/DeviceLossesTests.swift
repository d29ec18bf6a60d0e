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

  func testACountThatIsTooLargeStaysThere() {
    let losses = DeviceLosses()
    losses.add(.missed, .max, at: 1)
    losses.add(.missed, 2, at: 2)
    XCTAssertEqual(losses[.missed].count, .max)
  }

  func testLabelsTellThemApart() {
    XCTAssertEqual(Set(DeviceLosses.Sign.allCases.map(\.label)).count, DeviceLosses.Sign.allCases.count)
  }
}
