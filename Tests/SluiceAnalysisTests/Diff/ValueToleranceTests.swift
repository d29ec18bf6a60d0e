import SluiceReadings
import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class ValueToleranceTests: XCTestCase {
  private func areSame(_ a: String, _ b: String, absolute: String = "0", relative: String = "0") throws -> Bool {
    func wide(_ text: String) throws -> WideDecimal? {
      if text.isEmpty { return nil }
      let value = try XCTUnwrap(ExactDecimal(text))
      return WideDecimal(significand: Int128(value.significand), exponent: Int(value.exponent))
    }
    let tolerance = ValueTolerance(
      absolute: try XCTUnwrap(ExactDecimal(absolute)), relative: try XCTUnwrap(ExactDecimal(relative)))
    let result = try tolerance.areSame(wide(a), wide(b))
    XCTAssertEqual(try tolerance.areSame(wide(b), wide(a)), result, "\(b), \(a)")
    return result
  }

  func testValuesAreComparedAsDecimalNumbers() throws {
    for (a, b) in [("0.10", "0.1"), ("-5", "-5.000"), ("0", "0.00"), ("-0", "0"), ("100", "1e2"), ("", "")] {
      XCTAssertTrue(try areSame(a, b), "\(a), \(b)")
    }
    for (a, b) in [("0.1", "0.2"), ("1", "-1"), ("0.1", "0.1000000000000001"), ("0", ""), ("1e-100", "0")] {
      XCTAssertFalse(try areSame(a, b), "\(a), \(b)")
    }
  }

  func testTheBoundsAreExact() throws {
    XCTAssertTrue(try areSame("0.3", "0.1", absolute: "0.2"))
    XCTAssertFalse(try areSame("0.3000000000000001", "0.1", absolute: "0.2"))
    XCTAssertTrue(try areSame("-0.1", "0.1", absolute: "0.20"))
    XCTAssertTrue(try areSame("100", "99", relative: "0.01"))
    XCTAssertFalse(try areSame("100", "98.999", relative: "0.01"))
    XCTAssertTrue(try areSame("-100", "-99", relative: "0.01"))
    XCTAssertTrue(try areSame("0", "5", relative: "1"))
    XCTAssertFalse(try areSame("0", "", absolute: "1000"))
    XCTAssertTrue(try areSame("1", "1.5", absolute: "0.5", relative: "0.0001"), "either is enough")
  }

  func testNumbersThatAreFarApart() throws {
    let (large, small) = ("9223372036854775807", "1e-100")
    XCTAssertFalse(try areSame(large, small, absolute: "1"))
    XCTAssertFalse(try areSame(large, small, relative: "0.5"))
    XCTAssertTrue(try areSame(large, small, relative: "1"))
    XCTAssertTrue(try areSame("1e-100", "2e-100", absolute: "1e-99"))
    XCTAssertTrue(try areSame("1e-100", "2e-100", absolute: "9223372036854775807"))
  }
}
