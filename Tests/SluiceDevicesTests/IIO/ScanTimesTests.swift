import XCTest

@testable import SluiceDevices

final class ScanTimesTests: XCTestCase {
  private func times(
    rate: Double?, _ reads: [(count: Int, waiting: Int, moment: Int64)], isHeld: Bool = false
  ) -> [Int64] {
    var times = ScanTimes(rate: rate, from: 1_000)
    return reads.flatMap { read in
      times.read(read.count, waiting: read.waiting, at: read.moment, isHeld: isHeld)
      return (0..<read.count).map { _ in times.next() }
    }
  }

  func testBackFromTheReadByThePeriod() {
    XCTAssertEqual(times(rate: 1e8, [(3, 0, 1_100)]), [1_080, 1_090, 1_100])
    XCTAssertEqual(times(rate: 1e8, [(2, 1, 1_100), (1, 0, 1_105)]), [1_080, 1_090, 1_105], "one was left behind")
  }

  func testNeverBeforeTheScanBefore() {
    XCTAssertEqual(times(rate: 1e8, [(1, 0, 1_100), (4, 0, 1_120)]), [1_100, 1_105, 1_110, 1_115, 1_120])
    XCTAssertEqual(times(rate: 1e8, [(2, 0, 1_010)]), [1_005, 1_010], "nor before the device was enabled")
  }

  func testWithoutARateEvenlyBetweenReads() {
    XCTAssertEqual(times(rate: nil, [(2, 0, 1_100), (4, 0, 1_140)]), [1_050, 1_100, 1_110, 1_120, 1_130, 1_140])
    XCTAssertEqual(times(rate: nil, [(1, 3, 1_100), (3, 0, 1_100)]), [1_025, 1_050, 1_075, 1_100])
  }

  /// What filled the FIFO came at once after the last read, and not just now.
  func testWhatFilledTheFIFOFollowsTheScanBefore() {
    XCTAssertEqual(times(rate: 1e8, [(3, 0, 9_000)], isHeld: true), [1_010, 1_020, 1_030])
  }

  func testAClockThatStandsStillOrNonsenseNeverGoesBack() {
    for rate in [nil, 1e8, 1e-300, .nan, .infinity, -1] as [Double?] {
      let found = times(rate: rate, [(3, 0, 900), (3, 5, 900), (0, 0, 1), (2, 0, .max), (3, 0, 1_500), (9, 0, .min)])
      XCTAssertEqual(found, found.sorted(), "\(String(describing: rate))")
      XCTAssertGreaterThanOrEqual(found.first ?? 0, 1_000)
    }
  }
}
