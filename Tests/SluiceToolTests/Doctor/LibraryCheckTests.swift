import XCTest

@testable import SluiceTool

final class LibraryCheckTests: XCTestCase {
  func testTheLibrary() {
    XCTAssertEqual(LibraryCheck.findings(version: nil).map(\.verdict), [.warning])
    XCTAssertEqual(LibraryCheck.findings(version: "1.6.3").map(\.verdict), [.warning])
    XCTAssertEqual(LibraryCheck.findings(version: "2.2.1").map(\.verdict), [.ok])
  }
}
