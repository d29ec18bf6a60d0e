import SluiceReadings
import XCTest

@testable import SluiceRecording

final class PartCutTests: XCTestCase {
  /// The last period has no end. Otherwise a reading of the greatest time would end it again and again.
  func testTheLastTimes() {
    for time in [Int64.max, .max - 1, .min] {
      var cut = PartCut(Rotation(period: .seconds(86_400)))
      XCTAssertTrue(cut.isDue(time, hasOpenRow: false))
      cut.begin(at: time, header: 0)
      XCTAssertFalse(cut.isDue(time, hasOpenRow: false), "\(time)")
      let readings = [Reading(time: time, stream: StreamID(0), values: [1])]
      readings.withUnsafeBufferPointer { XCTAssertEqual(cut.prefix(of: $0), 1, "\(time)") }
    }
  }
}
