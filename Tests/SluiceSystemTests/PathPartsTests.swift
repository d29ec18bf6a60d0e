import SluiceSystem
import XCTest

final class PathPartsTests: XCTestCase {
  func testNames() {
    for (path, name) in [
      ("/a/b", "b"), ("/a/b/", "b"), ("b", "b"), ("a//b//", "b"), ("/", ""), ("", ""), ("/a/ü.csv", "ü.csv"),
      ("./.hidden", ".hidden"), ("/a/\u{301}b", "\u{301}b"),
    ] {
      XCTAssertEqual(Array(fileName(of: path).utf8), Array(name.utf8), path)
    }
  }

  func testFolders() {
    for (path, parent) in [("/a/b", "/a"), ("b", "."), ("/b", "/"), ("a/b", "a")] {
      XCTAssertEqual(folder(of: path), parent, path)
    }
  }
}
