import XCTest

@testable import SluiceArchive

final class SampleClockTests: XCTestCase {
  func testWholePeriods() {
    let clock = SampleClock(rate: 8_000_000)
    XCTAssertEqual(clock.period, 125)
    XCTAssertEqual(clock.time(of: 0), 0)
    XCTAssertEqual(clock.time(of: 3), 375)
    XCTAssertEqual(clock.time(of: UInt64(Int64.max) / 125), Int64.max / 125 * 125)
    XCTAssertNil(clock.time(of: UInt64(Int64.max) / 125 + 1))
    XCTAssertNil(clock.time(of: .max))
  }

  func testTimesAreRoundedToTheNearest() {
    let clock = SampleClock(rate: 3)
    XCTAssertNil(clock.period)
    XCTAssertEqual(clock.time(of: 1), 333_333_333)
    XCTAssertEqual(clock.time(of: 2), 666_666_667)
    XCTAssertEqual(clock.time(of: 3), 1_000_000_000)
    // No error adds up.
    XCTAssertEqual(clock.time(of: 3_000_000_002), 1_000_000_000_666_666_667)
    XCTAssertNil(clock.time(of: .max))
  }

  func testRatesAboveOneGigahertz() {
    let clock = SampleClock(rate: 2_500_000_000)
    XCTAssertEqual((0..<6).map { clock.time(of: $0) }, [0, 0, 1, 1, 2, 2])
    let fastest = SampleClock(rate: .max)
    XCTAssertEqual(fastest.time(of: .max), 1_000_000_000)
    XCTAssertEqual(fastest.time(of: .max / 2), 500_000_000)
  }
}
