import XCTest

@testable import SluiceReadings

final class JSONParsingTests: XCTestCase {
  private func fault(in bytes: [UInt8]) -> String? {
    do throws(JSONFault) { _ = try JSON(parsing: bytes) } catch { return error.description }
    return nil
  }

  func testJSONHasNoFault() {
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    for text in [
      "{}", "[]", " [ ] \n", "0", "-0.5e+10", "1E5", "true", "false", "null", "\"\"", #""\"\\\u00e9""#, deep,
      "\u{feff}[]",
      #"{"\"\\\/\b\f\n\r\t": 1}"#, #"["\u00e9", "\ud83d\ude00"]"#, "\"\u{e9}\"",
      #"{"a": [1, {"b": null, "a": ""}], "c": {"a": 1}}"#,
    ] {
      XCTAssertNil(fault(in: Array(text.utf8)), text)
    }
  }

  func testFaultsHaveAPlace() {
    for (text, sentence) in [
      ("", "line 1, column 1 should have a value"),
      ("{\"a\": 1,\n \"b\" 5}", "line 2, column 6 should have a colon"),
      ("{\"a\": 1,}", "line 1, column 9 should have a key in double quotes"),
      ("{a: 1}", "line 1, column 2 should have a key in double quotes"),
      ("{\"a\": 1 \"b\": 2}", "line 1, column 9 should have a comma or a closing brace"),
      ("[1, 2", "line 1, column 6 should have a comma or a closing bracket"),
      ("[1,]", "line 1, column 4 should have a value"),
      ("[nul]", "line 1, column 2 should have a value"),
      ("[\"ü\" x]", "line 1, column 6 should have a comma or a closing bracket"),
      ("[\n\"abc\n]", "line 2, column 1 has a text without a closing quote in the same line"),
      ("\"abc\\", "line 1, column 1 has a text without a closing quote in the same line"),
      ("[-]", "line 1, column 3 should have a digit"),
      ("[1.]", "line 1, column 4 should have a digit"),
      ("[1e]", "line 1, column 4 should have a digit"),
      ("[01]", "line 1, column 2 has a number that begins with 0"),
      ("{} {}", "line 1, column 4 should have the end"),
      ("{\"a\": 1,\n\"a\": 2}", "line 2, column 1 has the key \"a\" for the second time"),
      (
        String(repeating: "[", count: 101),
        "line 1, column 101 has more than 100 objects and lists inside one another"
      ),
    ] {
      XCTAssertEqual(fault(in: Array(text.utf8)), sentence, text)
    }
  }

  func testATextIsUTF8AndHasTheEscapesOfJSON() {
    for text in [
      #"{"\:": 1}"#, #"["\u12g4"]"#, #"["\ud83d"]"#, #"["\ud83d\u0041"]"#, #"["\ude00"]"#, #"["\u12"]"#,
    ] {
      XCTAssertEqual(
        fault(in: Array(text.utf8)),
        "line 1, column 2 has a text that is not UTF-8, or has an escape that JSON does not know", text)
    }
    XCTAssertNotNil(fault(in: [0x22, 0xff, 0x22]))
  }

  func testWhatIsRead() throws {
    let text = #" {"b": [1, -2.50, 1e3, true, null], "a": "\u00e9\ud83d\ude00\n\/", "\u0061\u0301": {}}"#
    XCTAssertEqual(
      try JSON(parsing: text.utf8).text,
      #"{"b": [1, -2.50, 1e3, true, null], "a": "é😀\n/", "a\#u{301}": {}}"#)
  }

  func testNamesThatLookTheSame() {
    XCTAssertNil(fault(in: Array("{\"\u{e9}\": 1, \"e\u{301}\": 2}".utf8)))
    XCTAssertNotNil(fault(in: Array(#"{"a": 1, "\u0061": 2}"#.utf8)))
  }

  func testNoBytesTrap() {
    // The same numbers in every run.
    var state: UInt64 = 1
    func roll(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let alphabet = Array("{}[]\",:\\u0123-+.eE tfn\n".utf8) + [0, 0x80, 0xff]
    for _ in 0..<2_000 {
      let bytes = (0..<roll(40)).map { _ in alphabet[roll(alphabet.count)] }
      _ = fault(in: bytes)
    }
  }
}
