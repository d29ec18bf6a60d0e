import Foundation
import SluiceReadings
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceControl

final class ControlPlaceTests: XCTestCase {
  private lazy var temporary = temporaryFolder()

  private func folder(_ name: String, _ mode: mode_t = 0o700) -> String {
    let path = temporary.file(name)
    XCTAssertEqual(mkdir(path, 0o777), 0)
    XCTAssertEqual(chmod(path, mode), 0)
    return path
  }

  private var surroundings: ControlPlace.Surroundings {
    var surroundings = ControlPlace.Surroundings(user: geteuid())
    (surroundings.users, surroundings.services) = (temporary.file("users"), temporary.file("run"))
    return surroundings
  }

  private func cause(_ surroundings: ControlPlace.Surroundings) -> String? {
    do throws(SluiceError) {
      _ = try ControlPlace.own(surroundings)
      return nil
    } catch {
      return error.cause
    }
  }

  func testTheFolderOfAUser() throws {
    var surroundings = surroundings
    XCTAssertEqual(cause(surroundings), "there is no such folder, and XDG_RUNTIME_DIR is not set")
    _ = folder("users")
    let own = folder("users/\(geteuid())")
    XCTAssertEqual(try ControlPlace.own(surroundings), ControlPlace(folder: "\(own)/sluice", isOfService: false))
    surroundings.userDirectory = folder("session")
    XCTAssertEqual(
      try ControlPlace.own(surroundings), ControlPlace(folder: "\(temporary)/session/sluice", isOfService: false))
    XCTAssertEqual(ControlPlace.all(surroundings), ["\(temporary)/session/sluice"])
  }

  func testAFolderThatOthersCanWriteToIsNone() {
    var surroundings = surroundings
    surroundings.userDirectory = folder("open", 0o1777)
    XCTAssertEqual(cause(surroundings), "others can write to it")
    surroundings.userDirectory = folder("ofGroup", 0o770)
    XCTAssertEqual(cause(surroundings), "others can write to it")
    surroundings.userDirectory = "relative"
    XCTAssertEqual(cause(surroundings), "it is not an absolute path")
    surroundings.userDirectory = temporary.file("gone")
    XCTAssertEqual(cause(surroundings), "no such file or directory")
    surroundings.userDirectory = temporary.file("file", "text")
    XCTAssertEqual(cause(surroundings), "it is no folder")
    surroundings.userDirectory = folder("ofAnother")
    surroundings.user += 1
    XCTAssertEqual(cause(surroundings), "it is the folder of another user")
  }

  func testTheRuntimeDirectoryOfAService() throws {
    var surroundings = surroundings
    let first = folder("sluice-record-room", 0o750)
    surroundings.runtimeDirectory = "\(first):\(temporary)/other"
    surroundings.userDirectory = folder("session")
    let place = try ControlPlace.own(surroundings)
    XCTAssertEqual(place, ControlPlace(folder: first, isOfService: true))
    XCTAssertEqual(place.mode, 0o660)
    surroundings.runtimeDirectory = temporary.file("gone")
    XCTAssertEqual(cause(surroundings), "no such file or directory")
  }

  func testWhereRecordingsAreLookedFor() {
    let surroundings = surroundings
    XCTAssertEqual(ControlPlace.all(surroundings), [])
    for name in ["run", "run/sluice", "run/sluice/room", "run/sluice-record-cellar", "run/systemd"] { _ = folder(name) }
    // A socket of the folder of all is no folder.
    _ = temporary.file("run/sluice/a.sock", "")
    XCTAssertEqual(
      ControlPlace.all(surroundings),
      ["run/sluice", "run/sluice/room", "run/sluice-record-cellar"].map { "\(temporary)/\($0)" })
  }

  func testTheFolderOfAUserIsForHimAlone() throws {
    let base = folder("session")
    let place = ControlPlace(folder: "\(base)/sluice", isOfService: false)
    func mode() -> mode_t {
      var status = stat()
      return lstat(place.folder, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
    try place.make(geteuid())
    XCTAssertEqual(mode(), 0o700)
    // What is noted of IIO devices is in a folder of this name, too.
    XCTAssertEqual(chmod(place.folder, 0o755), 0)
    try place.make(geteuid())
    XCTAssertEqual(mode(), 0o700)
    XCTAssertThrowsError(try place.make(geteuid() + 1))
    XCTAssertEqual(rmdir(place.folder), 0)
    XCTAssertEqual(symlink(folder("elsewhere"), place.folder), 0)
    XCTAssertThrowsError(try place.make(geteuid()), "a link may lead to a folder of somebody else")
  }
}
