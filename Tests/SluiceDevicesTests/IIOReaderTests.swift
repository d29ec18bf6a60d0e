import Foundation
import Sluice
import SluiceRecording
import SluiceTesting
import XCTest

@testable import SluiceDevices

/// Scans through a FIFO in the place of a device's file.
final class IIOReaderTests: XCTestCase {
  private func makeFixture() throws -> SysfsFixture {
    let fixture = SysfsFixture()
    try FileManager.default.removeItem(atPath: "\(fixture.root)/dev/iio:device0")
    XCTAssertEqual(mkfifo("\(fixture.root)/dev/iio:device0", 0o600), 0)
    fixture.write("current_timestamp_clock", "monotonic")
    return fixture
  }

  /// Two channels of 16 bits, one of 12 in 16, and a time: 16 bytes.
  private func scan(_ number: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes += withUnsafeBytes(of: Int16(truncatingIfNeeded: number).littleEndian, Array.init)
    bytes += withUnsafeBytes(of: Int16(truncatingIfNeeded: -number).littleEndian, Array.init)
    bytes += withUnsafeBytes(of: UInt16(truncatingIfNeeded: number << 4 | 9).bigEndian, Array.init)
    bytes += [0, 0]
    return bytes + withUnsafeBytes(of: Int64(number * 1_000).littleEndian, Array.init)
  }

  /// Written in pieces that are no whole scans.
  func testScansThatComeInPieces() throws {
    let fixture = try makeFixture()
    let count = 20_000
    let (got, left) = (expectation(description: "all"), Locked(count))
    let subscriber = TestSubscriber<Reading, SluiceError> { _ in
      let last = left.withLock { left in
        left -= 1
        return left == 0
      }
      if last { got.fulfill() }
      return .none
    }
    let scans = try Publishers.IIOScans(device: "0", roots: fixture.roots)
    scans.subscribe(subscriber)
    let feeding = open("\(fixture.root)/dev/iio:device0", O_WRONLY)
    let bytes = (0..<count).flatMap(scan)
    var sent = 0
    while sent < bytes.count {
      let piece = min(1_009, bytes.count - sent)
      let written = bytes.withUnsafeBytes { write(feeding, $0.baseAddress.map { $0 + sent }, piece) }
      guard written > 0 else { return XCTFail("write") }
      sent += written
    }
    wait(for: [got], timeout: 300)
    scans.finish()
    scans.teardown.wait()
    close(feeding)
    let readings = subscriber.values
    XCTAssertEqual(readings.count, count)
    for (number, reading) in readings.enumerated() {
      let expected: Values = [
        Int64(Int16(truncatingIfNeeded: number)), Int64(Int16(truncatingIfNeeded: -number)), Int64(number & 0xfff),
      ]
      guard reading.values == expected else { return XCTFail("scan \(number) is \(reading.values.map(\.description))") }
    }
    XCTAssertEqual(zip(readings.dropFirst(), readings).filter { $0.time - $1.time != 1_000 }.count, 0)
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testADeviceThatGoesIsNamed() throws {
    let fixture = try makeFixture()
    let ended = expectation(description: "ended")
    let subscriber = TestSubscriber<Reading, SluiceError>(ended: { _ in ended.fulfill() })
    let scans = try Publishers.IIOScans(device: "0", roots: fixture.roots)
    scans.subscribe(subscriber)
    let feeding = open("\(fixture.root)/dev/iio:device0", O_WRONLY)
    XCTAssertEqual(write(feeding, scan(1), 16), 16)
    close(feeding)
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(subscriber.values.count, 1)
    XCTAssertEqual(subscriber.failure?.code, .disconnected)
    XCTAssertTrue(subscriber.failure?.description.contains("bmi160") == true)
  }
}
