import SluiceReadings
import XCTest

@testable import SluiceStages

final class ExpressionTests: XCTestCase {
  /// With `a` 1, `b` 2 and anything else missing.
  private func isTrue(_ text: String) throws -> Bool {
    let expression = try Expression(text)
    let values = expression.names.map { ["a": 1, "b": 2][$0] ?? .nan }
    var numbers = values + Array(repeating: 0, count: expression.depth)
    return numbers.withUnsafeMutableBufferPointer { expression.isTrue($0) }
  }

  func testConditions() throws {
    let conditions: [(String, Bool)] = [
      ("a < b", true), ("a<=1", true), ("a > 1", false), ("b>=2", true), ("a == 1", true), ("a != 1", false),
      ("a + b * 3 == 7", true), ("(a + b) * 3 == 9", true), ("a - b - 1 == -2", true), ("8 / b / 2 == 2", true),
      ("-a < 0", true), ("abs(a - b) == 1", true), ("--a == 1", true), ("1e3 > 9.5e+2", true), (".5 < a", true),
      ("a > 1 or b > 1 and a == 1", true), ("(a > 1 or b > 1) and a == 2", false), ("not a > 1", true),
      ("not a > 1 and b > 9", false), ("not (a > 1 and b > 9)", true), ("! a > 1 && b == 2 || a == 7", true),
      ("\"a\" == 1", true), ("x > 0", false), ("x < 0", false), ("x == x", false), ("x != 1", false),
      ("not x > 0", true), ("1 / 0 > 5", true),
    ]
    for (text, expected) in conditions { XCTAssertEqual(try isTrue(text), expected, text) }
  }

  func testNames() throws {
    XCTAssertEqual(
      try Expression("imu.accel_x > 1 and \"Gyro X (deg/s)\" < größe and imu.accel_x < 2").names,
      ["imu.accel_x", "Gyro X (deg/s)", "größe"])
  }

  func testErrorsHaveTheirPlace() {
    let errors: [(String, String)] = [
      ("", "at column 1, a number or a channel was expected, but it ends"),
      ("a", "at column 2, a comparison, for example \"> 1.5\", was expected, but it ends"),
      ("a > ", "at column 5, a number or a channel was expected, but it ends"),
      ("a > 1 b", "at column 7, \"and\", \"or\" or the end was expected, but there is \"b\""),
      ("a = 1", "at column 3, a number, a channel or an operator was expected, but there is \"= 1\""),
      ("(a > 1", "at column 7, \")\" was expected, but it ends"),
      ("a > 1 and", "at column 10, a number or a channel was expected, but it ends"),
      ("a and b", "at column 3, a comparison was expected, but there is \"and b\""),
      ("1 < a < 2", "at column 7, \"and\", \"or\" or the end was expected, but there is \"< 2\""),
      ("abs a > 1", "at column 5, \"(\" was expected, but there is \"a > 1\""),
      ("1.2.3 > a", "at column 1, \"1.2.3\" is not a number"),
      ("\"a > 1", "at column 1, the name is empty or has no closing quote"),
      ("(a > 1) + 2 > 3", "at column 9, \"and\", \"or\" or the end was expected, but there is \"+ 2 > 3\""),
      (String(repeating: "(", count: 100_000), "at column 66, the nesting is deeper than 64 levels"),
      (String(repeating: "-", count: 100_000) + "a > 1", "at column 66, the nesting is deeper than 64 levels"),
      (String(repeating: "not ", count: 100_000) + "a > 1", "at column 261, the nesting is deeper than 64 levels"),
    ]
    for (text, cause) in errors {
      XCTAssertThrowsError(try Expression(text), String(text.prefix(40))) {
        XCTAssertEqual(($0 as? SluiceError)?.cause, cause)
      }
    }
  }

  func testAnythingMayBeWritten() {
    let pieces = [
      "a", "1", "(", ")", "<", "==", "and", "or", "not", "abs", "-", "+", "*", "\"", " ", ".", "e", "é", "&&",
    ]
    for seed in 0..<5_000 {
      let parts = (0..<(seed % 12)).map { (place: Int) -> String in
        let number: Int = seed * 31 + place * place * 17 + seed / 7
        return pieces[number % pieces.count]
      }
      let text = parts.joined(separator: " ")
      guard let expression = try? Expression(text) else { continue }
      var numbers = Array(repeating: 1.0, count: expression.names.count + expression.depth)
      _ = numbers.withUnsafeMutableBufferPointer { expression.isTrue($0) }
    }
  }
}
