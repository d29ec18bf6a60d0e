import XCTest

@testable import SluiceAnalysis

final class IntervalDistributionTests: XCTestCase {
  private func distribution(
    _ lengths: [UInt64], _ kind: IntervalDistribution.Kind = .period, period: Double? = nil, short: UInt64? = nil
  ) -> IntervalDistribution {
    var distribution = IntervalDistribution("x", kind, period: period, shorterThan: short)
    var time: Int64 = 0
    for (index, length) in lengths.enumerated() {
      distribution.add(length, after: index + 1, at: time)
      time += Int64(length)
    }
    return distribution
  }

  func testGapsAreApartFromJitter() throws {
    var lengths = [UInt64](repeating: 1_000_000, count: 1_000)
    (lengths[10], lengths[20], lengths[30]) = (1_100_000, 3_000_000, 900_000)
    let period = try XCTUnwrap(distribution(lengths, period: 1e6).period(tolerance: 50_000))
    XCTAssertTrue(period.isGiven)
    XCTAssertEqual(period.gaps, 1)
    XCTAssertEqual(period.missing, 2)
    XCTAssertEqual(period.within, 997)
    XCTAssertEqual(period.usual.last, 1_100_000)
    XCTAssertEqual(period.deviations.last ?? 0, 100_000, accuracy: 1)
    XCTAssertEqual(distribution(lengths).histogram.percentile(100), 3_000_000)
    let found = try XCTUnwrap(distribution(lengths).period(tolerance: nil))
    XCTAssertFalse(found.isGiven)
    XCTAssertEqual(found.nominal, 1e6, accuracy: 1)
    XCTAssertEqual(found.tolerance, 1e5, accuracy: 1)
  }

  /// The worst are those that are farthest from the period, on both sides, wherever the period is.
  func testTheWorst() {
    let lengths = (0..<5_000).map { UInt64(1_000 + $0 * 7_919 % 5_003) }
    for period in [900.0, 2_000, 3_333, 7_000] {
      let exact = lengths.map { abs(Double($0) - period) }.sorted(by: >).prefix(10)
      let worst = distribution(lengths).worst(period).map { abs(Double($0.length) - period) }
      XCTAssertEqual(worst, Array(exact), "period \(period)")
    }
  }

  func testNoPeriod() {
    XCTAssertNil(distribution([1, 1_000, 20, 400_000, 1, 1, 30, 5_000, 9]).period(tolerance: nil))
    XCTAssertNil(distribution(Array(repeating: 1_000, count: 100), .width, period: 1_000).period(tolerance: nil))
  }

  func testShortOnes() {
    let short = distribution([100, 5, 100, 3], .width, short: 10)
    XCTAssertEqual(short.short, 2)
    XCTAssertEqual(short.firstShort, Intervals.Long(length: 5, reading: 2, time: 100))
  }

  func testAPeriodThatNothingKeeps() throws {
    let period = try XCTUnwrap(distribution([5_000, 6_000], period: 1_000).period(tolerance: nil))
    XCTAssertEqual(period.gaps, 2)
    XCTAssertEqual(period.missing, 4 + 5)
    XCTAssertEqual(period.usual, [])
    XCTAssertEqual(period.deviations, [])
  }
}
