import Foundation
import Sluice
import SluiceReadings
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
    XCTAssertFalse(scans.losses.isAway)
    XCTAssertEqual(fixture.read("iio:device1/buffer/enable"), "0")
    XCTAssertTrue(subscriber.isFinished)
  }

  // MARK: Scans without times

  /// A device of one channel of 16 bits and no time, with a buffer of `length` scans that is read by hand.
  private func makeUntimed(
    length: Int, rate: String? = nil, watermark: Int? = 1, hardware: Bool = false, _ losses: DeviceLosses,
    now: @escaping () -> UInt64 = { kernelTime(CLOCK_MONOTONIC) }
  ) throws -> (reader: IIOReader, feeding: Int32, fixture: SysfsFixture) {
    let fixture = try makeFixture()
    let folder = "\(fixture.root)/sys/bus/iio/devices/iio:device0"
    for file in ["en", "index", "type"] {
      try FileManager.default.removeItem(atPath: "\(folder)/scan_elements/in_timestamp_\(file)")
    }
    if let rate {
      fixture.write("sampling_frequency", rate)
    } else {
      try FileManager.default.removeItem(atPath: "\(folder)/sampling_frequency")
    }
    fixture.write("buffer/data_available", "0")
    var options = IIOOptions()
    options.length = length
    options.watermark = watermark
    if hardware { fixture.write("buffer/hwfifo_enabled", "1") }
    let setup = IIOSetup(device: "0", roots: fixture.roots, whenRemoved: nil) { [options] device throws(SluiceError) in
      try IIOCapture(device, channels: ["accel_x"], options: options, roots: fixture.roots)
    }
    let capture = try setup.session()
    let reader = IIOReader(
      setup.connection(capture, losses, EpochClock()), StreamID(0), capture.fifo, now: now)
    return (reader, open("\(fixture.root)/dev/iio:device0", O_WRONLY), fixture)
  }

  private func feed(_ descriptor: Int32, _ numbers: Range<Int>) {
    let scans = numbers.map { Int16($0).littleEndian }
    XCTAssertEqual(scans.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }, scans.count * 2)
  }

  /// What the kernel's FIFO lost shows in nothing but that it was full: the scan behind what it held is flagged.
  func testAFullFIFOIsAGapWhereScansCarryNoTime() throws {
    let losses = DeviceLosses(coverage: .none, countsAll: false)
    let (reader, feeding, fixture) = try makeUntimed(length: 6, rate: "1000", losses)
    XCTAssertEqual(reader.capacity, 8, "the kernel rounds it up to a power of two")
    var batch: [Reading] = []
    feed(feeding, 0..<7)
    try reader.read(ready: [true], limit: 99, into: &batch)
    XCTAssertEqual(losses.all, [])
    // Three of eight, then the rest of them and two that came later.
    feed(feeding, 7..<17)
    fixture.write("buffer/data_available", "5")
    try reader.read(ready: [true], limit: 3, into: &batch)
    XCTAssertEqual(losses.all.map { [$0.sign.rawValue, $0.count] }, [[DeviceLosses.Sign.full.rawValue, 1]])
    fixture.write("buffer/data_available", "0")
    try reader.read(ready: [true], limit: 99, into: &batch)
    XCTAssertEqual(batch.map { $0.values[0].significand }, (0..<17).map { Int64($0) })
    XCTAssertEqual(batch.filter { $0.flags == .gapBefore }.map { $0.values[0].significand }, [15])
    XCTAssertEqual(losses[.full].count, 1)
    XCTAssertTrue(losses.mayHaveUncountedLosses)
    XCTAssertEqual(batch.map(\.time), batch.map(\.time).sorted())
    reader.close()
    close(feeding)
  }

  func testNonsenseOfWhatIsWaitingDoesNotTrap() throws {
    let (reader, feeding, fixture) = try makeUntimed(length: 8, DeviceLosses())
    var batch: [Reading] = []
    for text in ["9223372036854775807", "-9223372036854775808", "many", ""] {
      fixture.write("buffer/data_available", text)
      feed(feeding, 0..<2)
      try reader.read(ready: [true], limit: 2, into: &batch)
    }
    XCTAssertEqual(batch.count, 8)
    reader.close()
    close(feeding)
  }

  /// A burst that a reader keeps up with, however long: the kernel never had all that it can keep.
  func testALongBurstIsNoFullFIFO() throws {
    let losses = DeviceLosses()
    let (reader, feeding, fixture) = try makeUntimed(length: 8, losses)
    fixture.write("buffer/data_available", "3")
    var batch: [Reading] = []
    for start in 0..<20 {
      feed(feeding, start * 4..<start * 4 + 4)
      try reader.read(ready: [true], limit: 4, into: &batch)
    }
    XCTAssertEqual(batch.count, 80)
    XCTAssertEqual(losses.all, [])
    reader.close()
    close(feeding)
  }

  /// Those that one read brings came one after the other while nobody looked.
  func testTimesAreInterpolated() throws {
    for rate in ["1000", nil] {
      let (reader, feeding, fixture) = try makeUntimed(length: 1_024, rate: rate, DeviceLosses())
      var batch: [Reading] = []
      feed(feeding, 0..<1)
      try reader.read(ready: [true], limit: 99, into: &batch)
      feed(feeding, 1..<11)
      try reader.read(ready: [true], limit: 99, into: &batch)
      let times = batch.map(\.time)
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }
      XCTAssertEqual(steps.count, 10)
      XCTAssertEqual(times, times.sorted())
      // Those of one read are evenly apart, to the nanosecond that is rounded to.
      for (step, next) in zip(steps.dropFirst(), steps.dropFirst(2)) { XCTAssertLessThanOrEqual(abs(step - next), 1) }
      XCTAssertGreaterThan(steps.last ?? 0, 0)
      withExtendedLifetime(fixture) {}
      reader.close()
      close(feeding)
    }
  }

  // MARK: While scans gather

  /// At 1 kHz by a clock of the test's own; where it waits for the device, each scan makes it ready, as the kernel would
  /// wake it for each.
  func testItDoesNotReadEachScan() throws {
    let clock = Locked(UInt64(1_000_000_000))
    let (reader, feeding, fixture) = try makeUntimed(
      length: 1_024, rate: "1000", watermark: nil, DeviceLosses(), now: { clock.withLock { $0 } })
    XCTAssertEqual(fixture.read("iio:device0/buffer/watermark"), "50")
    XCTAssertEqual(reader.gathering, 0, "nobody knows the rate")
    XCTAssertEqual(reader.timeout, 50)
    var (batch, sent, reads): ([Reading], Int, Int) = ([], 0, 0)
    while batch.count < 10_000 {
      let milliseconds = max(1, Int(reader.gathering))
      clock.withLock { $0 += UInt64(milliseconds) * 1_000_000 }
      feed(feeding, sent..<sent + milliseconds)
      sent += milliseconds
      try reader.read(ready: [true], limit: 1_024, into: &batch)
      reads += 1
      XCTAssertLessThanOrEqual(milliseconds, 50)
    }
    XCTAssertEqual(batch.count, sent, "no scan is left")
    XCTAssertEqual(batch.map { $0.values[0].significand }, (0..<sent).map { Int64($0) })
    XCTAssertLessThanOrEqual(reads, 250)
    // Then none comes.
    clock.withLock { $0 += 50_000_000 }
    XCTAssertEqual([reader.gathering, reader.timeout], [0, 0])
    try reader.read(ready: [false], limit: 1_024, into: &batch)
    XCTAssertEqual([reader.gathering, reader.timeout], [0, 50])
    XCTAssertEqual(batch.count, sent)
    // What is limited leaves something behind.
    feed(feeding, 0..<3)
    try reader.read(ready: [true], limit: 2, into: &batch)
    XCTAssertEqual([reader.gathering, reader.timeout], [0, 0])
    try reader.read(ready: [true], limit: 2, into: &batch)
    XCTAssertEqual([reader.gathering, reader.timeout], [0, 50])
    // A device that is not there is looked for as before, however short the latency.
    close(feeding)
    XCTAssertThrowsError(try reader.read(ready: [true], limit: 2, into: &batch)) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .disconnected)
    }
    reader.close()
    XCTAssertEqual([reader.gathering, reader.timeout], [0, 200])
  }

  /// One scan at a time is wanted, or the device gathers them itself.
  func testNothingGathersWhereTheDeviceIsWaitedFor() throws {
    for (watermark, hardware) in [(1, false), (50, true)] {
      let clock = Locked(UInt64(1_000_000_000))
      let (reader, feeding, fixture) = try makeUntimed(
        length: 1_024, rate: "1000", watermark: watermark, hardware: hardware, DeviceLosses(),
        now: { clock.withLock { $0 } })
      var batch: [Reading] = []
      for start in 0..<9 {
        clock.withLock { $0 += 50_000_000 }
        feed(feeding, start * 50..<start * 50 + 50)
        try reader.read(ready: [true], limit: 99, into: &batch)
        XCTAssertEqual([reader.gathering, reader.timeout], [0, 1_000])
      }
      XCTAssertEqual(batch.count, 450)
      withExtendedLifetime(fixture) {}
      reader.close()
      close(feeding)
    }
  }

  func testADeviceThatNeverComesBackIsAway() throws {
    let fixture = try makeFixture()
    let subscriber = TestSubscriber<Reading, SluiceError>()
    let scans = try Publishers.IIOScans(device: "bmi160", roots: fixture.roots, whenRemoved: { _ in })
    scans.subscribe(subscriber)
    let feeding = open("\(fixture.root)/dev/iio:device0", O_WRONLY)
    XCTAssertEqual(write(feeding, scan(1), 16), 16)
    waitFor("the first") { subscriber.values.count == 1 }
    XCTAssertFalse(scans.losses.isAway)
    try FileManager.default.moveItem(
      atPath: "\(fixture.root)/sys/bus/iio/devices/iio:device0", toPath: "\(fixture.root)/away")
    close(feeding)
    waitFor("the removal") { scans.losses.isAway }
    scans.finish()
    scans.teardown.wait()
    XCTAssertTrue(scans.losses.isAway)
    XCTAssertTrue(subscriber.isFinished)
  }

  /// What keeps it from being set up again is told, once as long as it stays the same.
  func testWhatKeepsADeviceFromGoingOnIsTold() throws {
    let fixture = try makeFixture()
    let subscriber = TestSubscriber<Reading, SluiceError>()
    let told = Locked([SluiceError?]())
    let scans = try Publishers.IIOScans(
      device: "bmi160", roots: fixture.roots, whenRemoved: { error in told.withLock { $0.append(error) } })
    scans.subscribe(subscriber)
    let feeding = open("\(fixture.root)/dev/iio:device0", O_WRONLY)
    XCTAssertEqual(write(feeding, scan(1), 16), 16)
    waitFor("the first") { subscriber.values.count == 1 }
    // A folder is no attribute to be written, as where the driver answers with an error.
    let clock = "\(fixture.root)/sys/bus/iio/devices/iio:device0/current_timestamp_clock"
    try FileManager.default.removeItem(atPath: clock)
    try FileManager.default.createDirectory(atPath: clock, withIntermediateDirectories: false)
    fixture.write("buffer/enable", "0")
    close(feeding)
    waitFor("the cause") { told.withLock { $0.count } == 2 }
    XCTAssertEqual(told.withLock { $0.map { $0?.code } }, [.disconnected, .failed])
    XCTAssertEqual(told.withLock { $0.last??.object }, clock)
    try FileManager.default.removeItem(atPath: clock)
    fixture.write("current_timestamp_clock", "monotonic")
    fixture.write("buffer/enable", "0")
    waitFor("the return") { told.withLock { $0.count } == 3 }
    XCTAssertNil(told.withLock { $0.last.flatMap { $0 } })
    scans.finish()
    scans.teardown.wait()
  }

  private func waitFor(_ what: String, _ condition: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while !condition() {
      guard Date() < deadline else { return XCTFail("\(what) has not happened") }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.001))
    }
  }
}
