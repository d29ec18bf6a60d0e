import XCTest

@testable import SluiceAnalysis

final class DistributionLimitTests: XCTestCase {
  func testForms() throws {
    let limit = try DistributionLimit("irq high p99.9 >= 100us")
    XCTAssertEqual(limit.name, "irq high")
    XCTAssertEqual(limit.quantity, .percentile(99.9))
    XCTAssertEqual(limit.comparison, .atLeast)
    XCTAssertEqual(limit.limit, 100_000)
    XCTAssertTrue(limit.isOfIntervals)
    let deviation = try DistributionLimit("deviation max>1ms")
    XCTAssertTrue(deviation.isOfDeviation)
    XCTAssertEqual(deviation.name, "")
    XCTAssertEqual(deviation.limit, 1e6)
    XCTAssertFalse(try DistributionLimit("accel_x p99 > 3").isOfIntervals)
    XCTAssertTrue(try DistributionLimit("gaps > 0").isOfIntervals)
    let share = try DistributionLimit("within < 99.5 %")
    XCTAssertTrue(share.isShare)
    XCTAssertEqual(share.limit, 0.995)
  }

  func testWhatCannotBeRead() {
    for (text, part) in [
      ("p99.9", "no comparison"), ("> 1ms", "nothing stands before"), ("p101 > 1ms", "no quantity"),
      ("worst > 1ms", "no quantity"), ("p99 > fast", "give a time such as"), ("gaps > 1ms", "number of intervals"),
      ("deviation max > 3", "a deviation is a time"), ("jitter > 3", "the jitter is a time"),
      ("p99 > nan", "give a time"),
    ] {
      XCTAssertThrowsError(try DistributionLimit(text), text) { error in
        let sentence = (error as? DistributionLimit.Fault)?.sentence ?? ""
        XCTAssertTrue(sentence.contains(part), "\(text): \(sentence)")
      }
    }
  }
}
