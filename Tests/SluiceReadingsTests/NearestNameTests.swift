import XCTest

@testable import SluiceReadings

final class NearestNameTests: XCTestCase {
  func testNearest() {
    XCTAssertEqual(nearest(to: "gpio17", among: ["GPIO1", "GPIO17", "GPIO27"]), "GPIO17")
    XCTAssertNil(nearest(to: "abc", among: ["xyz"]))
    XCTAssertNil(nearest(to: "abc", among: []))
  }
}
