import Foundation
import Sluice
import SluiceRecording
import SluiceTesting
import XCTest

@testable import SluiceDevices

/// Reads bytes from a pipe, each a reading.
private final class PipeReader: DescriptorReader {
  let descriptor: Int32
  let closed: XCTestExpectation
  let limits = Locked([Int]())

  init(_ descriptor: Int32, closed: XCTestExpectation) {
    self.descriptor = descriptor
    self.closed = closed
  }

  var descriptors: [Int32] { [descriptor] }
  var timeout: Int32 { -1 }
  var gathering: Int32 { 0 }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    guard ready[0] else { return }
    limits.withLock { $0.append(limit) }
    var bytes = [UInt8](repeating: 0, count: min(limit, 64))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { throw SluiceError(.disconnected, "read", "a pipe", because: "it is closed") }
    for byte in bytes[..<count] {
      batch.append(Reading(time: 0, stream: StreamID(0), values: Values(Int64(byte))))
    }
  }

  func close() { closed.fulfill() }
}

final class DescriptorSourceTests: XCTestCase {
  private func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    return (ends[0], ends[1])
  }

  func testReadsNoMoreThanIsWanted() {
    let ends = makePipe()
    let (closed, got) = (expectation(description: "closed"), expectation(description: "five"))
    let reader = PipeReader(ends.reading, closed: closed)
    let count = Locked(0)
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none) { _ in
      if count.withLock({
        $0 += 1; return $0
      }) == 5 {
        got.fulfill()
      }
      return .none
    }
    DescriptorSource.attach("Pipe", reader, to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2, 3, 4, 5, 6, 7] as [UInt8], 7), 7)
    subscriber.request(.max(2))
    subscriber.request(.max(3))
    wait(for: [got], timeout: 60)
    XCTAssertEqual(subscriber.values.map { $0.values[0].significand }, [1, 2, 3, 4, 5])
    XCTAssertTrue(reader.limits.withLock { $0 }.allSatisfy { $0 <= 5 })
    subscriber.cancel()
    wait(for: [closed], timeout: 60)
    var left = [UInt8](repeating: 0, count: 9)
    XCTAssertEqual(read(ends.reading, &left, 9), 2, "the rest is still in the kernel")
    XCTAssertEqual(subscriber.violations, [])
    close(ends.reading)
    close(ends.writing)
  }

  func testAFailureComesAfterWhatWasRead() {
    let ends = makePipe()
    let (closed, failed) = (expectation(description: "closed"), expectation(description: "failed"))
    let subscriber = TestSubscriber<Reading, SluiceError>(ended: { _ in failed.fulfill() })
    DescriptorSource.attach("Pipe", PipeReader(ends.reading, closed: closed), to: subscriber)
    XCTAssertEqual(write(ends.writing, [1, 2] as [UInt8], 2), 2)
    close(ends.writing)
    wait(for: [failed, closed], timeout: 60)
    XCTAssertEqual(subscriber.values.count, 2)
    XCTAssertEqual(subscriber.failure?.code, .disconnected)
    close(ends.reading)
  }

  func testCancelWakesItAtOnce() {
    let ends = makePipe()
    let closed = expectation(description: "closed")
    let subscriber = TestSubscriber<Reading, SluiceError>()
    DescriptorSource.attach("Pipe", PipeReader(ends.reading, closed: closed), to: subscriber)
    subscriber.cancel()
    subscriber.cancel()
    wait(for: [closed], timeout: 60)
    close(ends.reading)
    close(ends.writing)
  }
}
