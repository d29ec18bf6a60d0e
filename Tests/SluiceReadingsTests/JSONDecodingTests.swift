import XCTest

@testable import SluiceReadings

final class JSONDecodingTests: XCTestCase {
  private struct Whole: Codable, Equatable {
    enum Kind: String, Codable { case a, b }
    var text: String
    var count = 3
    var number: UInt64?
    var real: Double?
    var exact: ExactNumber?
    var kinds: [Kind]?
    var nested: [String: [Int64]]?
    var flag: Bool?
  }

  private func decoded(_ text: String, isCount: Bool = false) throws -> Whole {
    try JSON(parsing: text.utf8).decode(isCount: isCount)
  }

  func testWhatIsEncodedIsDecoded() throws {
    let exact = try XCTUnwrap(ExactDecimal("1.50"))
    let whole = Whole(
      text: "é", count: -1, number: .max, real: 0.1, exact: ExactNumber(exact), kinds: [.b, .a],
      nested: ["x": [.min, .max], "": []], flag: false)
    XCTAssertEqual(try JSON(parsing: JSON(encoding: whole).text.utf8).decode(Whole.self), whole)
    let least = Whole(text: "")
    XCTAssertEqual(try JSON(parsing: JSON(encoding: least).text.utf8).decode(Whole.self), least)
  }

  func testNumbers() throws {
    XCTAssertEqual(try decoded(#"{"text": "", "count": 1e3, "number": 2.0, "real": 5}"#).count, 1_000)
    XCTAssertEqual(try decoded(#"{"text": "", "count": 1, "exact": 1.500}"#).exact?.value.description, "1.500")
  }

  func testUnknownMembersAndNullAreLeftOut() throws {
    XCTAssertEqual(try decoded(#"{"text": "", "count": 3, "flag": null, "other": {"a": [1]}}"#), Whole(text: ""))
  }

  func testAnOptionalType() throws {
    let there: Whole? = try JSON(parsing: #"{"text": "a", "count": 1}"#.utf8).decode()
    XCTAssertEqual(there?.text, "a")
    let missing: Whole? = try JSON(parsing: "null".utf8).decode()
    XCTAssertNil(missing)
  }

  func testErrorsHaveTheirPlace() {
    func check(_ text: String, _ place: String, _ sentence: String, isCount: Bool = false, line: UInt = #line) {
      XCTAssertThrowsError(try decoded(text, isCount: isCount), line: line) { error in
        let context: DecodingError.Context? =
          switch error {
          case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
            context
          default: nil
          }
        XCTAssertEqual(context?.codingPath.map(\.stringValue).joined(separator: "."), place, line: line)
        XCTAssertEqual(context?.debugDescription, sentence, line: line)
      }
    }
    check("[]", "", "takes an object")
    check("{}", "", #"has no member "text""#)
    check(#"{"text": 5, "count": 1}"#, "text", "takes a text")
    check(#"{"text": null, "count": 1}"#, "text", "takes a text, not null")
    check(#"{"text": "", "count": "1"}"#, "count", "takes a whole number")
    check(#"{"text": "", "count": 1.5}"#, "count", "is 1.5, which is no whole number whose digits fit in 64 bits")
    check(
      #"{"text": "", "count": -1}"#, "count", "is -1, which is no whole number whose digits fit in 64 bits",
      isCount: true)
    check(#"{"text": "", "count": 1, "real": 1e999}"#, "real", "is 1e999, which is too large")
    check(#"{"text": "", "count": 1, "flag": 1}"#, "flag", "takes true or false")
    check(#"{"text": "", "count": 1, "nested": {"x": [1, {}]}}"#, "nested.x.1", "takes a whole number")
    check(#"{"text": "", "count": 1, "kinds": {}}"#, "kinds", "takes a list")
  }
}
