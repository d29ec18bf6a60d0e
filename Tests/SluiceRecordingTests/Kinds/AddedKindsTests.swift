import SluiceReadings
import XCTest

@testable import SluiceRecording

final class AddedKindsTests: XCTestCase {
  private let kinds = AddedKinds<Int>("kind of number")

  private func add(_ number: Int, _ name: String) -> String {
    do throws(SluiceError) {
      try kinds.add(number, name, besides: ["one"])
      return "added"
    } catch {
      return "\(error)"
    }
  }

  func testKindsAreInTheOrderInWhichTheyWereAdded() {
    XCTAssertEqual([add(3, "three"), add(2, "two-2")], ["added", "added"])
    XCTAssertEqual(kinds.all, [3, 2])
    XCTAssertEqual(kinds.names, ["three", "two-2"])
    kinds.remove("three")
    XCTAssertEqual(kinds.all, [2])
    XCTAssertEqual(add(3, "three"), "added")
  }

  func testANameThatIsTakenOrCannotBeWritten() {
    let begin = "cannot add the kind of number"
    XCTAssertEqual(add(1, "one"), "\(begin) \"one\": sluice has a kind of number of this name; give it another name")
    XCTAssertEqual(add(2, "two"), "added")
    XCTAssertEqual(add(2, "two"), "\(begin) \"two\": it was added before; give it another name")
    for name in ["", "Two", "tw o", "zwö", "a:b"] {
      XCTAssertEqual(
        add(9, name),
        "\(begin) \"\(name)\": a name has small letters, digits and hyphens; give it another name")
    }
    XCTAssertEqual(kinds.all, [2])
  }
}
