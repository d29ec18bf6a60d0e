import SluiceAnalysis
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class FindingTests: XCTestCase {
  func testText() {
    XCTAssertEqual(
      Finding.text([.ok("disk", "fast"), .problem("permissions", "none", "be root"), .warning("clock", "slow")]),
      """
      ok       disk         fast
      problem  permissions  none
                            -> be root
      warning  clock        slow

      """)
    XCTAssertEqual(Finding.text([]), "")
  }

  func testJSON() {
    XCTAssertEqual(
      Finding.json([.problem("disk", "a \"b\"\u{1}", nil)]).text,
      """
      {"problems": 1, "warnings": 0, "findings": [{"check": "disk", "verdict": "problem", \
      "meaning": "a \\"b\\"\\u0001", "remedy": null}]}
      """)
  }
}
