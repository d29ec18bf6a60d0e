import XCTest

@testable import SluiceReadings

final class NearestDecimalTests: XCTestCase {
  private func nearest(_ text: String) -> NearestDecimal? {
    Array(text.utf8).withUnsafeBufferPointer { NearestDecimal(utf8: $0) }
  }

  func testAsManyDigitsAsFit() {
    let zeros = { (count: Int) in String(repeating: "0", count: count) }
    let cases: [(text: String, value: String?, isRounded: Bool)] = [
      ("0.10", "0.10", false), ("-9223372036854775808", "-9223372036854775808", false),
      ("1138687895422480280.447103723", "1138687895422480280", true),
      ("0.0001234567890123456789012345", "0.0001234567890123456789", true),
      ("-9.999999999999999999", "-10.00000000000000000", true), ("9.223372036854775807", "9.223372036854775807", false),
      ("9.2233720368547758075", "9.22337203685477581", true), ("9.2233720368547758074", "9.223372036854775807", true),
      ("9.2233720368547758074999", "9.223372036854775807", true),
      ("1.00000000000000000000000", "1.000000000000000000", false),
      ("9e118", "9" + zeros(118), false), ("1e119", nil, false), ("12345678901234567890e100", nil, false),
      ("1e-120", "0", true), ("-6e-101", "-0." + zeros(99) + "1", true), ("4e-101", "0." + zeros(100), true),
      ("9" + zeros(99) + "e-50", "9" + zeros(49), false),
    ]
    for (text, value, isRounded) in cases {
      let number = nearest(text)
      XCTAssertNotNil(number, text)
      XCTAssertEqual(number?.value?.description, value, text)
      if value != nil { XCTAssertEqual(number?.isRounded, isRounded, text) }
    }
  }

  func testNoNumber() {
    for text in ["", "-", ".", "e5", "1e", "1.2.3", "nan", "1 2", "99999999999999999999x", "1e+-2"] {
      XCTAssertNil(nearest(text), text)
    }
  }
}
