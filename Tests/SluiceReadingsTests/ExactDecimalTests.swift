import XCTest

@testable import SluiceReadings

final class ExactDecimalTests: XCTestCase {
  func testReciprocals() {
    for (number, text) in [(1, "1"), (3, "0.333333333"), (8, "0.125"), (12, "0.0833333333"), (1_000, "0.001")] {
      XCTAssertEqual(ExactDecimal(reciprocalOf: Int32(number)).description, text)
    }
    XCTAssertEqual(Double(ExactDecimal(reciprocalOf: .max)) * Double(Int32.max), 1, accuracy: 1e-8)
  }

  func testReadsWhatIsExact() {
    let cases: [(String, Int64, Int8)] = [
      ("0", 0, 0), ("-0.01644619", -1_644_619, -8), ("+3", 3, 0), (".5", 5, -1), ("7.", 7, 0), ("1e-05", 1, -5),
      ("2.5E3", 2_500, 0), ("0.10", 10, -2), ("9223372036854775807", .max, 0),
      ("-9223372036854775808", .min, 0), ("-922337203.6854775808", .min, -10), (" 42\n", 42, 0), ("00012", 12, 0),
    ]
    for (text, significand, exponent) in cases {
      XCTAssertEqual(ExactDecimal(text), ExactDecimal(significand: significand, exponent: exponent), text)
    }
  }

  func testRefusesWhatIsNot() {
    for text in [
      "", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "1,5", "nan", "inf", "9223372036854775808",
      "-9223372036854775809", "1e999", "12a",
      "1 2",
      "99999999999999999999999999", "1e-101", "1e19",
    ] {
      XCTAssertNil(ExactDecimal(text), text)
    }
  }

  func testPrintsAllDigits() {
    for text in ["0", "-1", "0.10", "-0.01644619", "123.456", "9223372036854775807", "0.00000000000000001", "1000"] {
      XCTAssertEqual(ExactDecimal(text)?.description, text)
    }
    XCTAssertEqual(ExactDecimal("2.5e3")?.description, "2500")
    XCTAssertEqual(ExactDecimal("1e-5")?.description, "0.00001")
    XCTAssertEqual(ExactDecimal.missing.description, "")
    XCTAssertEqual(ExactDecimal(significand: .min).description, "-9223372036854775808")
  }

  private func scaled(_ raw: String, _ offset: String, _ scale: String) throws -> String {
    let raw = try XCTUnwrap(ExactDecimal(raw))
    return try XCTUnwrap(
      raw.scaled(by: XCTUnwrap(ExactDecimal(scale)), offset: XCTUnwrap(ExactDecimal(offset)))
    ).description
  }

  func testScalesExactly() throws {
    XCTAssertEqual(try scaled("7", "7", "0.001333"), "0.018662")
    XCTAssertEqual(try scaled("-33", "0", "0.000001344"), "-0.000044352")
    XCTAssertEqual(try scaled("1000", "-0.5", "0.25"), "249.875")
    XCTAssertEqual(try scaled("9223372036854775807", "1", "1000000"), "9223372036854775808000000")
    XCTAssertEqual(
      try scaled("9223372036854775807", "0", "9223372036854775807"), "85070591730234615847396907784232501249")
    XCTAssertEqual(try scaled("0", "0", "0.5"), "0.0")
  }

  func testWhatDoesNotFitIsNil() {
    let large = ExactDecimal(significand: .max)
    XCTAssertNil(large.scaled(by: large, offset: ExactDecimal(significand: 1, exponent: 100)))
    XCTAssertNil(large.scaled(by: large, offset: ExactDecimal(significand: .max, exponent: 1)))
  }

  func testWholeNumbersOfASmallerUnit() {
    XCTAssertEqual(ExactDecimal("0.010078907")?.whole(power: 9), 10_078_907)
    XCTAssertEqual(ExactDecimal("1.50")?.whole(power: 0), nil)
    XCTAssertEqual(ExactDecimal("2.00")?.whole(power: 0), 2)
    XCTAssertEqual(ExactDecimal("0.0000000001")?.whole(power: 9), nil)
    XCTAssertEqual(ExactDecimal("10000000000")?.whole(power: 9), nil)
    XCTAssertEqual(ExactDecimal("0.00")?.whole(power: 0), 0)
    XCTAssertNil(ExactDecimal.missing.whole(power: 9))
  }

  func testNoTextTraps() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("0123456789.-+eE \t,\"nax".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in alphabet.randomElement(using: &generator)!
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if let value = ExactDecimal(text) {
        XCTAssertEqual(ExactDecimal(value.description)?.description, value.description)
      }
    }
  }

  func testTheNearestDouble() {
    for (significand, exponent, double) in [
      (21, 0, 21), (3125, -4, 0.3125), (1, -1, 0.1), (-7, 3, -7_000), (0, -2, 0), (1, 100, 1e100), (1, -100, 1e-100),
      (9_007_199_254_740_993, 0, 9_007_199_254_740_992), (.max, -1, 922_337_203_685_477_580.7),
    ] as [(Int64, Int8, Double)] {
      XCTAssertEqual(Double(ExactDecimal(significand: significand, exponent: exponent)), double)
    }
    XCTAssertTrue(Double(ExactDecimal.missing).isNaN)
  }
}
