import Dispatch
import Foundation
import Synchronization
import TestFiles
import XCTest

@testable import SluiceSystem

final class OpenWaitingTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func fifo(_ name: String = "pipe") -> String {
    let path = folder.file(name)
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    return path
  }

  /// Answers false so often.
  private func after(_ looks: Int) -> @Sendable () -> Bool {
    let left = Countdown(looks)
    return { left.next() }
  }

  private func isNonblocking(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0 }

  func testNobodyWrites() throws {
    XCTAssertNil(try openWaiting(fifo(), O_RDONLY, isInterrupted: after(3)))
  }

  func testNobodyReads() throws {
    XCTAssertNil(try openWaiting(fifo(), O_WRONLY, isInterrupted: after(3)))
  }

  func testItMayBeInterruptedAtOnce() throws {
    XCTAssertNil(try openWaiting(folder.file("t", "x"), O_RDONLY, isInterrupted: { true }))
  }

  func testAWriterComes() throws {
    let path = fifo()
    DispatchQueue.global().async {
      let descriptor = open(path, O_WRONLY)
      write(descriptor, "x", 1)
      close(descriptor)
    }
    let descriptor = try XCTUnwrap(try openWaiting(path, O_RDONLY, isInterrupted: { false }))
    defer { close(descriptor) }
    XCTAssertFalse(isNonblocking(descriptor))
    var bytes = [UInt8](repeating: 0, count: 8)
    XCTAssertEqual(try readBytes(descriptor, into: &bytes), 1)
    XCTAssertEqual(try readBytes(descriptor, into: &bytes), 0)
  }

  func testAReaderComes() throws {
    let path = fifo()
    let looked = DispatchSemaphore(value: 0)
    let read = expectation(description: "read")
    DispatchQueue.global().async {
      XCTAssertEqual(looked.wait(timeout: .now() + 60), .success)
      let descriptor = open(path, O_RDONLY)
      var byte: UInt8 = 0
      XCTAssertEqual(Glibc.read(descriptor, &byte, 1), 1)
      close(descriptor)
      read.fulfill()
    }
    let descriptor = try XCTUnwrap(
      try openWaiting(path, O_WRONLY) {
        looked.signal()
        return false
      })
    XCTAssertFalse(isNonblocking(descriptor))
    XCTAssertEqual(write(descriptor, "x", 1), 1)
    wait(for: [read], timeout: 60)
    close(descriptor)
  }

  func testEverythingElseIsOpenedAsItAlwaysIs() throws {
    for (path, flags) in [
      (folder.file("t", "x"), O_RDONLY), (folder.file("new"), O_WRONLY | O_CREAT | O_EXCL), ("/dev/null", O_WRONLY),
      ("/dev/null", O_RDONLY), (folder.path, O_RDONLY),
    ] {
      let descriptor = try XCTUnwrap(try openWaiting(path, flags, isInterrupted: { false }))
      XCTAssertFalse(isNonblocking(descriptor), path)
      XCTAssertEqual(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC, path)
      close(descriptor)
    }
    XCTAssertThrowsError(try openWaiting(folder.file("nope"), O_RDONLY, isInterrupted: { false })) {
      XCTAssertEqual($0 as? SystemErrno, SystemErrno(ENOENT))
    }
    XCTAssertThrowsError(try openWaiting(folder.file("new"), O_WRONLY | O_CREAT | O_EXCL, isInterrupted: { false })) {
      XCTAssertEqual($0 as? SystemErrno, SystemErrno(EEXIST))
    }
  }
}

/// Counts down.
private final class Countdown: Sendable {
  private let left: Atomic<Int>
  init(_ left: Int) { self.left = Atomic(left) }
  func next() -> Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
}
