import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceControl

final class ControlNameTests: XCTestCase {
  func testNames() throws {
    for name in ["walk", "cellar-2", "Zähler", "a b", "a.b", "水", String(repeating: "x", count: 48)] {
      XCTAssertEqual(try ControlName(name).description, name)
    }
  }

  func testWhatIsNoName() {
    let faults = [
      "": "it has no character", "a/b": "it has a slash", "/": "it has a slash", ".": "it begins with a dot",
      "..": "it begins with a dot", ".hidden": "it begins with a dot", "-n": "it begins like an option",
      "a\nb": "it has a character that does not show", "a\0b": "it has a character that does not show",
      "a\u{1b}[2J": "it has a character that does not show", "a\u{202e}b": "it has a character that does not show",
      String(repeating: "x", count: 49): "it has more than 48 bytes",
      String(repeating: "é", count: 25): "it has more than 48 bytes",
    ]
    for (name, cause) in faults {
      XCTAssertThrowsError(try ControlName(name), name.debugDescription) { error in
        XCTAssertEqual((error as? SluiceError)?.cause, cause, name.debugDescription)
        XCTAssertEqual((error as? SluiceError)?.code, .usage)
      }
    }
  }

  func testTwoSpellingsAreTwoNames() throws {
    XCTAssertNotEqual(try ControlName("caf\u{e9}"), try ControlName("cafe\u{301}"))
    XCTAssertEqual(Set([try ControlName("caf\u{e9}"), try ControlName("cafe\u{301}")]).count, 2)
  }

  func testTheNameOfTheFirstFile() {
    let folder = temporaryFolder()
    func name(_ outputs: String...) -> String { ControlName(outputs: outputs, process: 123).description }
    XCTAssertEqual(name("walk.csv"), "walk")
    XCTAssertEqual(name("\(folder)/walk.2026.csv", "other.csv"), "walk.2026")
    XCTAssertEqual(name("data/walk/"), "walk")
    XCTAssertEqual(name("walk"), "walk")
    XCTAssertEqual(name("-", "walk.db"), "walk")
    XCTAssertEqual(name(folder.path), folder.path.split(separator: "/").last.map(String.init))
    // None of these is a name.
    XCTAssertEqual(name("-"), "123")
    XCTAssertEqual(name("/dev/null"), "123")
    XCTAssertEqual(name("."), "123")
    XCTAssertEqual(name(".csv"), "123")
    XCTAssertEqual(name("-n.csv"), "123")
    XCTAssertEqual(name("\(String(repeating: "x", count: 100)).csv"), "123")
  }

  #if SLUICE_ARCHIVE
    func testACompressedFile() { XCTAssertEqual(ControlName(outputs: ["walk.csv.gz"]).description, "walk") }
  #endif
}
