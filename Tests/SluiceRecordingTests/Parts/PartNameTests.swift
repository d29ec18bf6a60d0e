import XCTest

@testable import SluiceRecording

final class PartNameTests: XCTestCase {
  func testANameIsReadAsItIsWritten() throws {
    let name = PartName(stem: "walk.left", number: 123, time: 1_795_272_907_506_849_878, ending: "csv")
    XCTAssertEqual(name.text, "walk.left.000123.20261121T145507Z.csv")
    XCTAssertEqual(PartName(name.text), name)
    XCTAssertEqual(name.recording, "walk.left.csv")
    let large = PartName(stem: "w", number: 12_345_678, time: -1, ending: "jsonl")
    XCTAssertEqual(large.text, "w.12345678.19691231T235959Z.jsonl")
    XCTAssertEqual(PartName(large.text), large)
  }

  func testOtherNamesAreNone() {
    for name in [
      "walk.csv", "walk.000123.csv", "walk.123.20261121T145507Z.csv", "walk.000000.20261121T145507Z.csv",
      "walk.+00123.20261121T145507Z.csv", "walk.000123.20261121T145507.csv", ".000123.20261121T145507Z.csv",
      "walk.000123.20261121T145507Z", "walk.99999999999999999999.20261121T145507Z.csv", "",
    ] {
      XCTAssertNil(PartName(name), name)
    }
  }

  /// Days of leap years, and the ends of the range.
  func testDates() {
    for (seconds, text) in [
      (0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (1_709_251_199, "20240229T235959Z"),
      (4_102_444_800, "21000101T000000Z"), (-2_208_988_800, "19000101T000000Z"),
    ] as [(Int64, String)] {
      let name = PartName(stem: "a", number: 1, time: seconds * 1_000_000_000, ending: "csv")
      XCTAssertEqual(name.time, text)
      XCTAssertEqual(name.seconds, seconds)
    }
    XCTAssertNotNil(PartName(PartName(stem: "a", number: 1, time: .min, ending: "csv").text))
    XCTAssertNotNil(PartName(PartName(stem: "a", number: 1, time: .max, ending: "csv").text))
  }
}
