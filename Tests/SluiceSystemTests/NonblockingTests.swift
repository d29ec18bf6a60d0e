import Dispatch
import Foundation
import XCTest

@testable import SluiceSystem

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
}
