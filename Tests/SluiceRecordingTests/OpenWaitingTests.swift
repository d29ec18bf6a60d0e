import Dispatch
import Foundation
import SluiceSystem
import Synchronization
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class OpenWaitingTests: XCTestCase {
  private let folder = TemporaryFolder()

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

  // MARK: Traces

  func testATraceThatNobodyWritesCanBeInterrupted() {
    let path = fifo()
    let interrupted = error { _ = try TraceReader(path: path, isInterrupted: after(3)) }
    XCTAssertEqual(interrupted?.errno, EINTR)
    XCTAssertEqual(interrupted?.description, "cannot read \(path): it was asked to stop")
  }

  func testAHeaderThatDoesNotComeCanBeInterrupted() throws {
    let path = fifo()
    // Reading and writing: opening does not wait, and there is no end of the file.
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    XCTAssertEqual(write(descriptor, "time_ns,", 8), 8)
    XCTAssertEqual(error { _ = try TraceReader(path: path, isInterrupted: after(5)) }?.errno, EINTR)
  }

  /// Once there is a header, `Replay.end()` ends it.
  func testRowsAreWaitedForAllTheSame() throws {
    let path = fifo()
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    XCTAssertEqual(write(descriptor, "time_ns,x\n", 10), 10)
    let stop = Countdown(.max)
    let trace = try TraceReader(path: path, isInterrupted: { stop.next() })
    stop.set(0)
    XCTAssertEqual(write(descriptor, "1,2\n", 4), 4)
    XCTAssertEqual(try trace.next()?.time, 1)
  }
}

/// Counts down.
private final class Countdown: Sendable {
  private let left: Atomic<Int>
  init(_ left: Int) { self.left = Atomic(left) }
  func set(_ value: Int) { left.store(value, ordering: .relaxed) }
  func next() -> Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
}
