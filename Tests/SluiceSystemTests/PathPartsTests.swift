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

  func testTheyArePathAgain() {
    for path in ["/a/b", "b", "/b", "a/", "/", "", "/a/\u{301}b", "a//\u{200d}b"] {
      let parts = pathParts(path)
      XCTAssertEqual(Array(parts.folder.utf8) + Array(parts.name.utf8), Array(path.utf8), path)
      XCTAssertEqual(Array(SluiceSystem.path(of: "c", beside: path).utf8), Array(parts.folder.utf8) + Array("c".utf8))
    }
  }

  func testFolders() {
    for (path, parent) in [
      ("/a/b", "/a"), ("b", "."), ("/b", "/"), ("a/b", "a"), ("/", "/"), ("", "."), ("/a/\u{301}b", "/a"),
      ("/a\u{600}/b", "/a\u{600}"),
    ] {
      XCTAssertEqual(Array(folder(of: path).utf8), Array(parent.utf8), path)
    }
  }
}
