import XCTest

@testable import SluiceDevices

final class ScanTimingTests: XCTestCase {
  /// What is found out from these times: flags by place, and losses with their times.
  private func run(_ times: [Int64], rate: Double? = nil) -> (flagged: [Int], lost: [Int], at: [Int64]) {
    var timing = ScanTiming(rate: rate)
    var (flagged, lost, at) = ([Int](), [Int](), [Int64]())
    let note = { (count: Int, time: Int64) in
      lost.append(count)
      at.append(time)
    }
    for (place, time) in times.enumerated() where timing.add(time, lost: note) { flagged.append(place) }
    timing.interrupt(lost: note)
    return (flagged, lost, at)
  }

  /// Whose period would be no nanosecond, so that everything in the world is missing between two scans.
  func testAnImpossibleRateIsLearnedInstead() {
    for rate in [1e300, 1.1e9, .infinity, .nan, -1, 0] { XCTAssertNil(ScanTiming(rate: rate).period, "\(rate)") }
    XCTAssertEqual(ScanTiming(rate: 1e9).period, 1)
  }

  func testWhatIsMissingByAGivenRate() {
    let found = run([0, 1_000, 2_100, 5_000, 6_000, 8_000], rate: 1e6)
    XCTAssertEqual(found.flagged, [3, 5])
    XCTAssertEqual(found.lost, [2, 1])
    XCTAssertEqual(found.at, [5_000, 8_000])
  }

  func testAScanThatIsLateIsNotMissing() {
    XCTAssertEqual(run([0, 1_000, 2_700, 3_000, 4_000], rate: 1e6).lost, [])
    XCTAssertEqual(run([0, 1_000, 3_700, 4_000, 5_000], rate: 1e6).lost, [1])
  }

  func testAPeriodThatIsLearned() {
    // The fifth is missing while it is being learned, one later after that.
    let times = (0..<40).filter { $0 != 5 && $0 != 30 }.map { Int64($0) * 997 }
    let found = run(times)
    XCTAssertEqual(found.lost, [1, 1])
    XCTAssertEqual(found.at, [5_982, 30_907])
    XCTAssertEqual(found.flagged, [29], "the first was not known yet")
    XCTAssertEqual(run([0, 1, 5, 100]).lost, [], "too few to learn from")
  }

  func testAnInterruptionIsNoGap() {
    var timing = ScanTiming(rate: 1e6)
    _ = timing.add(0) { _, _ in XCTFail("nothing is missing") }
    timing.interrupt { _, _ in XCTFail("nothing is missing") }
    XCTAssertFalse(timing.add(1_000_000) { _, _ in XCTFail("nothing is missing") })
  }

  func testNoTimeAndNoRateTraps() {
    let times: [Int64] = [0, .max, .min, -1, .max, 0, 0, .min, .min, 1]
    for rate in [nil, 0, -1, .nan, .infinity, 1e-300, 1e300, 1e9, .leastNonzeroMagnitude] {
      _ = run(times + times + times, rate: rate)
    }
  }
}
