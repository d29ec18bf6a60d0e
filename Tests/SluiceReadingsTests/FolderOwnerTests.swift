import Foundation
import SluiceReadings
import SluiceSystem
import TestFiles
import XCTest

final class FolderOwnerTests: XCTestCase {
  private lazy var folder = temporaryFolder().path
  private let nobody: uid_t = 65_534

  /// Why a folder is refused; empty if it is not.
  private func cause(_ path: String, trusted: Set<uid_t> = [geteuid()]) -> String {
    do throws(SluiceError) { try SystemFiles().checkOwner(of: path, "write to", trusted: trusted) } catch {
      return error.cause
    }
    return ""
  }

  private func make(_ name: String, mode: mode_t = 0o755) -> String {
    let path = "\(folder)/\(name)"
    XCTAssertEqual(mkdir(path, mode), 0)
    XCTAssertEqual(chmod(path, mode), 0)
    return path
  }

  /// That user could put another folder in its place.
  func testAFolderWithinTheFolderOfAnotherUser() throws {
    try XCTSkipUnless(geteuid() == 0, "only root can give a folder to another user")
    let theirs = make("theirs")
    let mine = make("theirs/mine")
    let other = make("mine")
    XCTAssertEqual(chown(theirs, nobody, nobody), 0)
    let said = "\(theirs), which is on the way to it, belongs to another user (number 65534)"
    XCTAssertEqual(cause(mine), said)
    XCTAssertEqual(cause("\(mine)/deep/../."), said)
    XCTAssertEqual(cause(mine, trusted: [0, nobody]), "")
    // A link to it, and one that they can change.
    XCTAssertEqual(symlink("theirs/mine", "\(folder)/link"), 0)
    XCTAssertEqual(cause("\(folder)/link"), said)
    XCTAssertEqual(symlink(other, "\(theirs)/link"), 0)
    XCTAssertEqual(cause("\(theirs)/link"), said)
    XCTAssertEqual(symlink("theirs/link", "\(folder)/second"), 0)
    XCTAssertEqual(cause("\(folder)/second/."), said)
    XCTAssertEqual(lchown("\(folder)/link", nobody, nobody), 0)
    XCTAssertTrue(cause("\(folder)/link").hasPrefix("\(folder)/link, which"), cause("\(folder)/link"))
    XCTAssertEqual(cause(other), "")
    XCTAssertEqual(cause("\(theirs)/../mine"), said, "the way leads through it")
  }

  func testAFolderInWhichEverybodyMayRename() {
    let open = make("open", mode: 0o777)
    let mine = make("open/mine")
    for path in [open, mine] { XCTAssertTrue(cause(path).contains("every user may rename"), cause(path)) }
    XCTAssertEqual(chmod(open, 0o1777), 0)
    for path in [open, mine] { XCTAssertEqual(cause(path), "") }
    XCTAssertEqual(chmod(open, 0o770), 0)
    XCTAssertEqual(cause(mine), "", "members of the group are trusted")
  }

  func testALoopOfLinksEnds() {
    XCTAssertEqual(symlink("b", "\(folder)/a"), 0)
    XCTAssertEqual(symlink("a", "\(folder)/b"), 0)
    XCTAssertEqual(cause("\(folder)/a/x"), "")
  }
}
