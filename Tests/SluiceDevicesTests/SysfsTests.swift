import Foundation
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceDevices

final class SysfsTests: XCTestCase {
  func testAValueThatTheDriverRefuses() {
    // An attribute of the kernel that takes numbers, of a file system that every machine has.
    XCTAssertThrowsError(try SysfsFolder(path: "/proc/self").write("oom_score_adj", "fast")) { error in
      let refused = error as? SluiceError
      XCTAssertEqual(refused?.errno, EINVAL)
      XCTAssertEqual(refused?.object, "/proc/self/oom_score_adj")
      XCTAssertEqual(refused?.remedy, "its driver does not take this: try another value")
    }
    for (folder, file) in [("/proc/self", "nothing"), ("/proc", "self")] {
      XCTAssertThrowsError(try SysfsFolder(path: folder).write(file, "1")) { error in
        XCTAssertEqual((error as? SluiceError)?.remedy?.contains("another value"), false, file)
      }
    }
  }

  /// A FIFO would be waited for, and a folder holds no value.
  func testWhatIsNoFileIsNotWaitedFor() {
    let folder = TemporaryFolder()
    XCTAssertEqual(mkfifo(folder.file("fifo"), 0o600), 0)
    for name in ["fifo", "."] {
      XCTAssertThrowsError(try SysfsFolder(path: folder.path).read(name)) { error in
        XCTAssertEqual((error as? SluiceError)?.cause, "it is not a regular file")
      }
    }
  }
}
