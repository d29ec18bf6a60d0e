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
    let clock = EpochClock()
    let scans = try Publishers.IIOScans(device: "0", roots: fixture.roots).stream(StreamID(7), clock: clock)
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
    XCTAssertEqual(readings.first?.stream, StreamID(7))
    XCTAssertEqual(readings.first?.time, clock.time(monotonic: 0))
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

  func testGapsInTimeAreCounted() throws {
    let fixture = try makeFixture()
    fixture.write("sampling_frequency", "1000000")
    let numbers = (0..<60).filter { $0 != 40 && $0 != 41 }
    let got = expectation(description: "all")
    got.expectedFulfillmentCount = numbers.count
    let subscriber = TestSubscriber<Reading, SluiceError> { _ in
      got.fulfill()
      return .none
    }
    let scans = try Publishers.IIOScans(device: "0", roots: fixture.roots)
    scans.subscribe(subscriber)
    let feeding = open("\(fixture.root)/dev/iio:device0", O_WRONLY)
    let bytes = numbers.flatMap(scan)
    XCTAssertEqual(write(feeding, bytes, bytes.count), bytes.count)
    wait(for: [got], timeout: 60)
    scans.finish()
    scans.teardown.wait()
    close(feeding)
    XCTAssertEqual(scans.losses[.late].count, 2)
    let flagged = subscriber.values.filter { $0.flags == .gapBefore }
    XCTAssertEqual(flagged.map { $0.values[0].significand }, [42])
    XCTAssertEqual(scans.losses[.late].first, flagged.first?.time)
    XCTAssertEqual(scans.losses.all.count, 1)
  }

  func testADeviceThatComesBackIsSetUpAgain() throws {
    let fixture = try makeFixture()
    let devices = "\(fixture.root)/sys/bus/iio/devices"
    let subscriber = TestSubscriber<Reading, SluiceError>()
    let told = Locked([SluiceError.Code?]())
    let scans = try Publishers.IIOScans(
      device: "bmi160", channels: ["accel_y"], roots: fixture.roots,
      whenRemoved: { error in told.withLock { $0.append(error?.code) } })
    scans.subscribe(subscriber)
    var feeding = open("\(fixture.root)/dev/iio:device0", O_WRONLY)
    XCTAssertEqual(write(feeding, scan(1), 16), 16)
    waitFor("the first") { subscriber.values.count == 1 }
    try FileManager.default.moveItem(atPath: "\(devices)/iio:device0", toPath: "\(fixture.root)/away")
    close(feeding)
    waitFor("the removal") { scans.losses[.removed].count == 1 }
    // As a driver makes it anew.
    try FileManager.default.moveItem(atPath: "\(fixture.root)/away", toPath: "\(devices)/iio:device1")
    try FileManager.default.moveItem(
      atPath: "\(fixture.root)/dev/iio:device0", toPath: "\(fixture.root)/dev/iio:device1")
    let elements = "iio:device1/scan_elements"
    fixture.put("\(devices)/\(elements)/in_accel_y_en", "0\n")
    fixture.put("\(devices)/iio:device1/buffer/enable", "0\n")
    waitFor("the return") { fixture.read("iio:device1/buffer/enable") == "1" }
    XCTAssertEqual(fixture.read("\(elements)/in_accel_y_en"), "1")
    XCTAssertEqual(fixture.read("\(elements)/in_accel_x_en"), "0")
    feeding = open("\(fixture.root)/dev/iio:device1", O_WRONLY)
    XCTAssertEqual(write(feeding, scan(2), 16), 16)
    waitFor("the second") { subscriber.values.count == 2 }
    scans.finish()
    scans.teardown.wait()
    close(feeding)
    XCTAssertEqual(subscriber.values.map(\.flags), [[], .gapBefore])
    XCTAssertEqual(scans.losses.all.map(\.sign), [.removed])
    XCTAssertEqual(told.withLock { $0 }, [.disconnected, nil])
    XCTAssertEqual(fixture.read("iio:device1/buffer/enable"), "0")
    XCTAssertTrue(subscriber.isFinished)
  }

  private func waitFor(_ what: String, _ condition: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while !condition() {
      guard Date() < deadline else { return XCTFail("\(what) has not happened") }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.001))
    }
  }
}
