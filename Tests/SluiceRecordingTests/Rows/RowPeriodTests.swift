import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class RowPeriodTests: XCTestCase {
  /// The time of each row is k/rate, rounded once.
  func testTimesOfRates() throws {
    for (rate, thousand) in [
      ("3", 333_333_333_333 as Int64), ("44100", 22_675_737), ("48000", 20_833_333), ("1000000000", 1_000),
      ("0.1", 10_000_000_000_000), ("7e-1", 1_428_571_428_571), ("22050", 45_351_474), ("3e2", 3_333_333_333),
    ] {
      let period = try XCTUnwrap(ExactDecimal(rate).flatMap { RowPeriod(hertz: $0) }, rate)
      XCTAssertEqual(period.time(ofRow: 0), 0)
      XCTAssertEqual(period.time(ofRow: 1_000), thousand, rate)
      XCTAssertEqual(Double(period.hertz?.description ?? ""), Double(rate), rate)
    }
    XCTAssertEqual(RowPeriod(nanoseconds: 250)?.time(ofRow: 4), 1_000)
    XCTAssertEqual(RowPeriod(nanoseconds: 250)?.hertz?.description, "4000000")
    XCTAssertEqual(RowPeriod(nanoseconds: 7)?.hertz, nil)
    XCTAssertEqual(try XCTUnwrap(RowPeriod(hertz: ExactDecimal(significand: 100))), RowPeriod(nanoseconds: 10_000_000))
  }

  func testWhatDoesNotFit() {
    for rate in ["0", "-1", "1000000001", "1e10", "1e-100", "9e100", "0.000000000000000001"] {
      XCTAssertNil(ExactDecimal(rate).flatMap { RowPeriod(hertz: $0) }, rate)
    }
    XCTAssertNil(RowPeriod(hertz: .missing))
    for count in [0, -1, .min] as [Int64] { XCTAssertNil(RowPeriod(nanoseconds: count)) }
    XCTAssertNil(RowPeriod(nanoseconds: .max)?.time(ofRow: 2))
    XCTAssertEqual(RowPeriod(nanoseconds: .max)?.time(ofRow: 1), .max)
    XCTAssertNil(RowPeriod(hertz: ExactDecimal(significand: 3))?.time(ofRow: .max))
  }
}
