import SluiceBenchmarks
import XCTest

final class LatenessTests: XCTestCase {
  func testATickAfterAStandstillIsAsLateAsTheFirstThatItStandsFor() {
    var lateness = Lateness(start: 1_000_000, interval: 1_000)
    lateness.add(number: 1, missed: 0, at: 1_001_050)
    lateness.add(number: 2, missed: 0, at: 1_002_000)
    lateness.add(number: 8, missed: 5, at: 1_008_100)
    lateness.add(number: 9, missed: 0, at: 1_009_010)
    XCTAssertEqual(lateness.nanoseconds, [50, 0, 5_100, 10])
    XCTAssertEqual(lateness.missed, 5)
  }
}
