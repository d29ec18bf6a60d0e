import XCTest

@testable import SluiceTool

final class LibraryCheckTests: XCTestCase {
  func testTheLibrary() {
    XCTAssertEqual(GPIOChipKind(library: nil).libraries().map(\.verdict), [.warning])
    XCTAssertEqual(GPIOChipKind(library: "1.6.3").libraries().map(\.verdict), [.warning])
    XCTAssertEqual(GPIOChipKind(library: "2.2.1").libraries().map(\.verdict), [.ok])
  }
}
