import SluiceReadings
import XCTest

@testable import SluicePipeline

final class FlaggedReadingsTests: XCTestCase {
  func testFlagsAreToldApart() {
    var flagged = FlaggedReadings()
    for (time, flags): (Int64, Reading.Flags) in [
      (1, [.initialLevel]), (2, []), (3, [.gapBefore]), (4, [.gapBefore, .initialLevel]),
    ] {
      flagged.add(Reading(time: time, stream: StreamID(0), values: [], flags: flags))
    }
    XCTAssertEqual(flagged.gapBefore, FlaggedReadings.Times(count: 2, first: [3, 4]))
    XCTAssertEqual(flagged.initialLevel, FlaggedReadings.Times(count: 2, first: [1, 4]))
  }

  func testMoreThanTheLimitAreOnlyCounted() {
    var times = FlaggedReadings.Times()
    for time in 0..<1_500 { times.add(Int64(time)) }
    XCTAssertEqual(times.count, 1_500)
    XCTAssertEqual(times.first, (0..<1_000).map { Int64($0) })
  }
}
