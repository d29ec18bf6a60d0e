import XCTest

@testable import SluiceReadings

final class ReadingTests: XCTestCase {
  func testHoldsUpToSixtyFourValues() {
    var values = Values()
    for number in 0..<64 { values.append(ExactDecimal(significand: Int64(number), exponent: Int8(-(number % 5)))) }
    XCTAssertEqual(values.count, 64)
    for number in 0..<64 {
      XCTAssertEqual(values[number], ExactDecimal(significand: Int64(number), exponent: Int8(-(number % 5))))
    }
    values[3] = .missing
    values[40] = .one
    XCTAssertTrue(values[3].isMissing)
    XCTAssertEqual(values[40], .one)
    XCTAssertEqual(values[4], ExactDecimal(significand: 4, exponent: -4))
  }

  func testIsEqualByWhatItHolds() {
    XCTAssertEqual([1, 2] as Values, [1, 2])
    XCTAssertNotEqual([1, 2] as Values, [1, 2, 0])
    let reading = Reading(time: 1, stream: StreamID(0), values: [5])
    XCTAssertEqual(reading.hashValue, Reading(time: 1, stream: StreamID(0), values: Values(5)).hashValue)
  }

  func testValuesPrintAsAnArray() {
    var values: Values = [256, 0]
    values.append(ExactDecimal(significand: -5, exponent: -1))
    values.append(.missing)
    XCTAssertEqual("\(values)", "[256, 0, -0.5, \(ExactDecimal.missing)]")
    XCTAssertEqual("\(Values())", "[]")
  }

  func testErrorsReadAsSentences() {
    XCTAssertEqual(
      SluiceError("open", "/dev/gpiochip0", errno: EACCES, remedy: "add yourself to the group gpio").description,
      "cannot open /dev/gpiochip0: permission denied; add yourself to the group gpio")
    XCTAssertEqual(SluiceError("open", "x", errno: ENOENT).code, .notFound)
    XCTAssertEqual(SluiceError("open", "x", errno: EBUSY).code, .busy)
    XCTAssertTrue(SluiceError("open", "x", errno: 12_345).description.contains("12345"))
  }
}
