import XCTest

@testable import SluiceRecording

final class JSONStringsTests: XCTestCase {
  func testWhatAStringMayHave() {
    for text in [
      #"{"a": "b"}"#, #"{"\"\\\/\b\f\n\r\t": 1}"#, #"["\u00e9", "\ud83d\ude00"]"#, "[1, 2]", "", "\"\u{e9}\"",
    ] {
      XCTAssertTrue(JSONStrings.areValid(Array(text.utf8)), text)
    }
    for text in [
      #"{"\:": 1}"#, #"{"a\"#, #"{"a"#, #""\u12"#, #""\u12g4""#, #""\ud83d""#, #""\ud83d\u0041""#, #""\ude00""#,
      "\"a\nb\"", "\"\u{1}\"",
    ] {
      XCTAssertFalse(JSONStrings.areValid(Array(text.utf8)), text)
    }
    XCTAssertFalse(JSONStrings.areValid([0x22, 0xff, 0x22]))
  }

  /// Swift 6.0's decoder trapped at it.
  func testAnEscapeThatIsNoneInAName() {
    let text = #"{"tableSchema": {"columns": []}, "a\:b": 5}"#
    XCTAssertEqual(error { _ = try TraceMetadata(Array(text.utf8), path: "t") }?.cause, "it is not JSON")
  }
}
