import SluiceRecording
import XCTest

@testable import SluiceDevices

final class SysfsTests: XCTestCase {
  func testAValueThatIsRefusedSaysWhereOthersAre() {
    // An attribute of the kernel that takes numbers, of a file system that every machine has.
    XCTAssertThrowsError(try SysfsFolder(path: "/proc/self").write("oom_score_adj", "fast")) { error in
      let refused = error as? SluiceError
      XCTAssertEqual(refused?.errno, EINVAL)
      XCTAssertEqual(refused?.object, "/proc/self/oom_score_adj")
      XCTAssertTrue(refused?.remedy?.contains("_available") == true, refused?.description ?? "")
    }
    for (folder, file) in [("/proc/self", "nothing"), ("/proc", "self")] {
      XCTAssertThrowsError(try SysfsFolder(path: folder).write(file, "1")) { error in
        XCTAssertEqual((error as? SluiceError)?.remedy?.contains("_available"), false, file)
      }
    }
  }
}
