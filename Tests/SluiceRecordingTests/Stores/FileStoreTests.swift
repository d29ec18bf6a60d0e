#if os(Linux)
  import CSystemCalls
  import Dispatch
  import Foundation
  import Sluice
  import SluiceReadings
  import TestFiles
  import XCTest

  @testable import SluiceRecording

  /// What a file system refuses that other file systems do.
  final class FileStoreTests: XCTestCase {
    private lazy var path = temporaryFolder().file("walk.csv", "time_ns,level\n1,2\n")

    func testAFileSystemWithoutLocksIsWrittenTo() throws {
      for code in [ENOLCK, EOPNOTSUPP, ENOSYS] {
        XCTAssertNil(try begin(refusing: { refuse_flock(code) }), "\(code)")
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "time_ns,value\n")
      }
    }

    func testALockThatIsHeldIsAnotherRecording() throws {
      let other = open(path, O_WRONLY)
      defer { close(other) }
      XCTAssertEqual(flock(other, LOCK_EX), 0)
      let error = try XCTUnwrap(try begin(refusing: { true }))
      XCTAssertEqual(error.code, .busy)
      XCTAssertTrue("\(error)".contains("another recording is writing it"), "\(error)")
    }

    /// As with `chattr +a`: a header amid old rows would be no recording.
    func testAFileThatCannotBeEmptiedIsLeftAsItIs() throws {
      let before = try String(contentsOfFile: path, encoding: .utf8)
      let error = try XCTUnwrap(try begin(refusing: { refuse_ftruncate(EPERM) }))
      XCTAssertTrue("\(error)".hasPrefix("cannot overwrite \(path): operation not permitted"), "\(error)")
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), before)
    }

    /// Overwrites the file, on a thread of its own that cannot make the call.
    private func begin(refusing refuse: @escaping @Sendable () -> Bool) throws -> SluiceError? {
      let path = path
      let outcome = Locked<(isRefusing: Bool, error: SluiceError?)>((true, nil))
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        defer { ended.signal() }
        guard refuse() else { return outcome.withLock { $0.isRefusing = false } }
        do throws(SluiceError) {
          let file = try ClaimedFile(path: path, existing: .overwrite)
          try file.lock()
          try FileStore(file).begin(header: Array("time_ns,value\n".utf8)) { _ in }
          try file.close()
        } catch {
          outcome.withLock { $0.error = error }
        }
      }
      XCTAssertEqual(ended.wait(timeout: .now() + 60), .success)
      let (isRefusing, error) = outcome.withLock { $0 }
      try XCTSkipUnless(isRefusing, "the kernel has no filters of system calls")
      return error
    }
  }
#endif
