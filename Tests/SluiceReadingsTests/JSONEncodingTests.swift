import XCTest

@testable import SluiceReadings

final class JSONEncodingTests: XCTestCase {
  private struct Inner: Encodable {
    var zebra = [1, 2]
    var apple: String?
  }

  private struct Outer: Encodable {
    var number = Int64.max
    var big = UInt64.max
    var half = 0.5
    var two = 2.0
    var third = Float(0.1)
    var flag = false
    var text = "a\"b"
    var inner = Inner()
    var none: [String] = []
  }

  func testMembersKeepTheirOrderAndNumbersTheirDigits() throws {
    XCTAssertEqual(
      try JSON(encoding: Outer()).text,
      """
      {"number": 9223372036854775807, "big": 18446744073709551615, "half": 0.5, "two": 2, "third": 0.1, \
      "flag": false, "text": "a\\"b", "inner": {"zebra": [1, 2]}, "none": []}
      """)
  }

  func testASecondContainerAddsToTheObject() throws {
    struct Late: Encodable {
      enum Keys: String, CodingKey { case z, a }
      func encode(to encoder: any Encoder) throws {
        var first = encoder.container(keyedBy: Keys.self)
        try first.encode(1, forKey: .z)
        var list = first.nestedUnkeyedContainer(forKey: .a)
        var second = encoder.container(keyedBy: Keys.self)
        try second.encode(2, forKey: .z)
        try list.encode(3)
        try list.encodeNil()
        var nested = list.nestedContainer(keyedBy: Keys.self)
        try nested.encodeNil(forKey: .a)
        try "s".encode(to: list.superEncoder())
        XCTAssertEqual(list.count, 4)
      }
    }
    XCTAssertEqual(try JSON(encoding: Late()).text, #"{"z": 2, "a": [3, null, {"a": null}, "s"]}"#)
  }

  func testScalarsAndNothing() throws {
    XCTAssertEqual(try JSON(encoding: "a").text, "\"a\"")
    XCTAssertEqual(try JSON(encoding: Int?.none).text, "null")
    XCTAssertEqual(try JSON(encoding: [Int]()).text, "[]")
    XCTAssertEqual(try JSON(encoding: [String: Int]()).text, "{}")
  }

  func testWhatIsNoNumberIsRefused() {
    XCTAssertThrowsError(try JSON(encoding: ["a": [Double.infinity]])) { error in
      guard case EncodingError.invalidValue(_, let context) = error else { return XCTFail("\(error)") }
      XCTAssertEqual(context.debugDescription, "JSON has no number inf")
      XCTAssertEqual(context.codingPath.first?.stringValue, "a")
    }
  }
}
