import XCTest

@testable import SluiceReadings

final class JSONTests: XCTestCase {
  func testShortOnesStayOnOneLine() {
    let json = JSON.object([("a", .array([JSON(1), .null])), ("b", .object([("c", .bool(true))]))])
    XCTAssertEqual(json.lines(), "{\"a\": [1, null], \"b\": {\"c\": true}}")
  }

  func testWhatATerminalWouldTakeForAnOrder() {
    XCTAssertEqual(quoted("a\u{9b}31m\u{202e}\u{2028}\u{7f}ü"), "\"a\\u009b31m\\u202e\\u2028\\u007fü\"")
  }

  func testLongOnesAreBroken() {
    let numbers = JSON.array((0..<60).map { JSON($0) })
    let name = String(repeating: "x", count: 50)
    let json = JSON.object([
      ("numbers", numbers), ("two", .array([.object([(name, JSON(1))]), .object([(name, .string("\"\n"))])])),
    ])
    XCTAssertEqual(
      json.lines(),
      """
      {
        "numbers": \(numbers.text),
        "two": [
          {"\(name)": 1},
          {"\(name)": "\\"\\n"}
        ]
      }
      """)
  }
}
