import Dispatch
import Foundation
import SluiceSystem
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Descriptors on which somebody else has set O_NONBLOCK.
final class NonblockingTests: XCTestCase {
  private var ends: [Int32] = [-1, -1]

  override func setUp() {
    XCTAssertEqual(pipe(&ends), 0)
    for end in ends { XCTAssertEqual(fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK), 0) }
  }

  override func tearDown() {
    for end in ends where end >= 0 { close(end) }
  }

  func testAFullPipeIsWaitedFor() {
    let count = 1 << 20
    let (from, to) = (ends[0], ends[1])
    let read = expectation(description: "read")
    let written = expectation(description: "written")
    DispatchQueue.global().async {
      let failed = [UInt8](repeating: 7, count: count).withUnsafeBytes { writeBytes(to, $0) }
      XCTAssertNil(failed)
      written.fulfill()
    }
    DispatchQueue.global().async {
      // The pipe holds less: it is full before anything is read.
      var waiting = pollfd(fd: from, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      var sum = 0
      while sum < count, poll(&waiting, 1, 60_000) == 1 { sum += max(0, Glibc.read(from, &bytes, bytes.count)) }
      XCTAssertEqual(sum, count)
      read.fulfill()
    }
    wait(for: [written, read], timeout: 60)
  }

  /// As standard input, which is not opened anew.
  func testAnEmptyPipeIsWaitedFor() throws {
    let (input, to) = (dup(STDIN_FILENO), ends[1])
    defer {
      dup2(input, STDIN_FILENO)
      close(input)
    }
    XCTAssertEqual(dup2(ends[0], STDIN_FILENO), STDIN_FILENO)
    let reading = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      XCTAssertEqual(write(to, "time_ns,x\n1,", 12), 12)
      XCTAssertEqual(reading.wait(timeout: .now() + 60), .success)
      XCTAssertEqual(write(to, "2\n", 2), 2)
    }
    let trace = try TraceReader(path: "-")
    reading.signal()
    XCTAssertEqual(try trace.next()?.time, 1)
  }
}
