import PublisherRules
import XCTest

final class SourceTableTests: XCTestCase {
  func testEverySource() {
    for rule in SourceRule.allCases { XCTAssertEqual(rule.faults(of: SourceRow.all), []) }
  }
}
