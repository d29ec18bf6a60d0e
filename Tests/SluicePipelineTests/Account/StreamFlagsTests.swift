import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class StreamFlagsTests: XCTestCase {
  func testFlagsAreToldApart() {
    var flagged = StreamFlags()
    for (time, flags): (Int64, Reading.Flags) in [
      (1, [.initialLevel]), (2, []), (3, [.gapBefore]), (4, [.gapBefore, .initialLevel]), (5, [.late, .uncertainTime]),
      (6, [.gapBefore, .uncertainLevel]),
    ] {
      flagged.add(Reading(time: time, stream: StreamID(0), values: [], flags: flags))
    }
    XCTAssertEqual(flagged.gapBefore, FlaggedReadings(count: 3, times: [3, 4, 6]))
    XCTAssertEqual(flagged.initialLevel, FlaggedReadings(count: 2, times: [1, 4]))
    XCTAssertEqual(flagged.uncertainTime, FlaggedReadings(count: 1, times: [5]))
    XCTAssertEqual(flagged.uncertainLevel, FlaggedReadings(count: 1, times: [6]))
    for flag in StreamFlags.all {
      XCTAssertEqual(flagged.adding(flagged)[keyPath: flag].count, 2 * flagged[keyPath: flag].count)
    }
  }

  func testMoreThanTheLimitAreOnlyCounted() {
    var times = FlaggedReadings()
    for time in 0..<1_500 { times.add(Int64(time)) }
    XCTAssertEqual(times.count, 1_500)
    XCTAssertEqual(times.times, (0..<1_000).map { Int64($0) })
  }
}
