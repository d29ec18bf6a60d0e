import XCTest

@testable import SluicePipeline

final class JSONSyntaxTests: XCTestCase {
  func testJSONHasNoFault() {
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    for text in [
      "{}", "[]", " [ ] \n", "0", "-0.5e+10", "1E5", "true", "false", "null", "\"\"", #""\"\\\u00e9""#, deep,
      #"{"a": [1, {"b": null, "a": ""}], "c": {"a": 1}}"#,
    ] {
      XCTAssertNil(JSONSyntax.fault(in: Array(text.utf8))?.description, text)
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
      XCTAssertEqual(JSONSyntax.fault(in: Array(text.utf8))?.description, sentence, text)
    }
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
      _ = JSONSyntax.fault(in: bytes)
      _ = try? RecordingPlan(json: bytes, name: "x")
    }
  }
}
