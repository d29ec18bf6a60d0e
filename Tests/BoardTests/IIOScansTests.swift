import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import XCTest

@testable import SluiceDevices

final class IIOScansTests: BoardTestCase {
  private let folder = "/sys/bus/iio/devices/iio:device0"

  private func attribute(_ name: String) -> String {
    (try? SimulatedChip.text("\(folder)/\(name)")) ?? ""
  }

  /// Everything that setting up a capture may change.
  private var state: [String] {
    ["trigger/current_trigger", "current_timestamp_clock", "buffer/enable", "buffer/length", "buffer/watermark"].map(
      attribute)
      + ["in_voltage0", "in_voltage1-voltage2", "in_voltage3-voltage4", "in_accel_x", "in_timestamp"].map {
        attribute("scan_elements/\($0)_en")
      } + [attribute("../trigger0/sampling_frequency")]
  }

  private var options: IIOOptions {
    var options = IIOOptions()
    options.trigger = "tick"
    options.samplingFrequency = "1000"
    return options
  }

  func testScansAtOneKilohertz() throws {
    let before = state
    let scans = try Publishers.IIOScans(device: "dummy0", options: options)
    XCTAssertEqual(
      scans.description.channels.map(\.name), ["voltage0", "voltage1-voltage2", "voltage3-voltage4", "accel_x"])
    XCTAssertNotEqual(state, before)
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    waitUntil("2,000 scans") { subscriber.values.count >= 2_000 }
    subscriber.cancel()
    scans.teardown.wait()
    XCTAssertEqual(state, before, "everything is as it was")
    let readings = subscriber.values
    XCTAssertEqual(scans.losses[.full].count, 0)
    XCTAssertLessThan(scans.fifo.highest, scans.fifo.capacity)
    // The dummy has no parent.
    XCTAssertEqual(scans.description.device, StreamDescription.Device(path: "/dev/iio:device0", name: "dummy0"))
    let times = readings.map(\.time)
    XCTAssertEqual(times, times.sorted())
    XCTAssertEqual(Set(times).count, times.count)
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    XCTAssertLessThan(abs(now - (times.last ?? 0)), 60_000_000_000, "since the epoch")
    // What the dummy driver puts into its scans is fixed (drivers/iio/dummy/iio_simple_dummy_buffer.c, `fakedata`).
    for reading in readings { XCTAssertEqual(reading.values.prefix(3).map(\.significand), [7, -33, -2]) }
  }

  /// How often the thread that calls this has waited.
  private static func waits() -> Int {
    let status = (try? SimulatedChip.text("/proc/thread-self/status")) ?? ""
    let row = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return row.flatMap { $0.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } } ?? -1
  }

  /// The kernel wakes whoever waits for the buffer at each scan: scans are waited for by the clock.
  func testTheThreadDoesNotWakeForEachScan() throws {
    let scans = try Publishers.IIOScans(device: "dummy0", options: options)
    let counts = Locked((scans: 0, first: 0, last: 0))
    let subscriber = TestSubscriber<Reading, SluiceError> { _ in
      counts.withLock { counts in
        counts.scans += 1
        if counts.scans == 1 { counts.first = Self.waits() }
        if counts.scans == 10_000 { counts.last = Self.waits() }
      }
      return .none
    }
    scans.subscribe(subscriber)
    waitUntil("10,000 scans") { counts.withLock { $0.last } != 0 }
    scans.finish()
    scans.teardown.wait()
    let readings = subscriber.values.prefix(10_000)
    let seconds = Double(readings[9_999].time - readings[0].time) / 1e9
    let (first, last) = counts.withLock { ($0.first, $0.last) }
    XCTAssertGreaterThanOrEqual(first, 0)
    let told = "\(last - first) waits for 10,000 scans in \(seconds) s, FIFO at most \(scans.fifo.highest)"
    print("IIO scans at 1 kHz: \(told)")
    XCTAssertLessThanOrEqual(Double(last - first), 60 * seconds, told)
    XCTAssertEqual(scans.losses[.full].count, 0)
    XCTAssertLessThan(scans.fifo.highest, scans.fifo.capacity)
    // What the dummy driver puts into its scans is fixed.
    XCTAssertEqual(Set(readings.map { $0.values.prefix(3).map(\.significand) }), [[7, -33, -2]])
    XCTAssertEqual(subscriber.violations, [])
  }

  /// Beside another device on the same trigger, for whose every scan the thread waits.
  func testWhatGathersIsWhatIsReadScanByScan() throws {
    let second = "/sys/kernel/config/iio/devices/dummy/dummy1"
    XCTAssertEqual(mkdir(second, 0o755), 0)
    defer { rmdir(second) }
    let clock = EpochClock()
    var single = options
    single.watermark = 1
    let (gathered, each) = (TestSubscriber<Reading, SluiceError>(), TestSubscriber<Reading, SluiceError>())
    let scans = try Publishers.IIOScans(device: "dummy0", options: options).stream(StreamID(0), clock: clock)
    let others = try Publishers.IIOScans(device: "dummy1", options: single).stream(StreamID(1), clock: clock)
    scans.subscribe(gathered)
    others.subscribe(each)
    waitUntil("2,000 scans") { gathered.values.count >= 2_000 && each.values.count >= 2_000 }
    for publisher in [others, scans] {
      publisher.finish()
      publisher.teardown.wait()
    }
    XCTAssertEqual([gathered.violations, each.violations], [[], []])
    let start = try XCTUnwrap(each.values.first).time
    // The first device was there before the other.
    let first = try XCTUnwrap(
      gathered.values.indices.min { abs(gathered.values[$0].time - start) < abs(gathered.values[$1].time - start) })
    let pairs = zip(gathered.values[first...], each.values).map { ($0, $1) }
    XCTAssertGreaterThanOrEqual(pairs.count, 1_900)
    // A trigger does not fire again before all of its devices are done (`iio_trigger_poll` in
    // drivers/iio/industrialio-trigger.c): as long as none is missing, one of each comes after the other.
    for (pair, next) in zip(pairs, pairs.dropFirst()) {
      guard max(pair.0.time, pair.1.time) < min(next.0.time, next.1.time) else {
        return XCTFail("\(pair.0.time), \(pair.1.time) and then \(next.0.time), \(next.1.time)")
      }
      guard next.0.values == next.1.values else { return XCTFail("\(next.0.values), \(next.1.values)") }
    }
  }

  /// Also while the thread sleeps, and does not wait for the device.
  func testADeviceThatIsRemovedWhileScansGather() throws {
    let second = "/sys/kernel/config/iio/devices/dummy/dummy1"
    XCTAssertEqual(mkdir(second, 0o755), 0)
    let ended = expectation(description: "the end")
    let subscriber = TestSubscriber<Reading, SluiceError>(ended: { _ in ended.fulfill() })
    let scans = try Publishers.IIOScans(device: "dummy1", options: options)
    scans.subscribe(subscriber)
    waitUntil("scans") { subscriber.values.count >= 200 }
    XCTAssertEqual(rmdir(second), 0)
    wait(for: [ended], timeout: 60)
    scans.teardown.wait()
    XCTAssertEqual(subscriber.failure?.code, .disconnected)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testScaleAndOffsetAreThoseOfSysfs() throws {
    let scans = try Publishers.IIOScans(device: "0", channels: ["voltage0", "voltage1-voltage2"], options: options)
    let channels = scans.description.channels
    XCTAssertEqual(channels[0].scale.description, attribute("in_voltage0_scale"))
    XCTAssertEqual(channels[0].offset.description, attribute("in_voltage0_offset"))
    XCTAssertEqual(channels[1].scale.description, attribute("in_voltage-voltage_scale"))
    XCTAssertEqual(channels.map(\.unit), ["mV", "mV"])
  }

  func testOneChannelInAnyOrder() throws {
    let scans = try Publishers.IIOScans(device: "iio:device0", channels: ["voltage1-voltage2"], options: options)
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .max(10))
    scans.subscribe(subscriber)
    waitUntil("ten scans") { subscriber.values.count == 10 }
    subscriber.cancel()
    scans.teardown.wait()
    XCTAssertEqual(Set(subscriber.values.map { $0.values.map(\.significand) }), [[-33]])
    XCTAssertEqual(subscriber.violations, [])
  }

  /// Nobody reads while the kernel's FIFO of 64 scans overflows; another device on the same trigger tells when.
  func testWhatAFullFIFOLosesIsCounted() throws {
    var options = options
    options.length = 64
    options.latency = 5_000_000
    let scans = try Publishers.IIOScans(device: "dummy0", channels: ["voltage0"], options: options)
    XCTAssertEqual(attribute("buffer/watermark"), "5")
    let second = "/sys/kernel/config/iio/devices/dummy/dummy1"
    XCTAssertEqual(mkdir(second, 0o755), 0)
    defer { rmdir(second) }
    let (subscriber, ticks) = (
      TestSubscriber<Reading, SluiceError>(initial: .max(10)), TestSubscriber<Reading, SluiceError>()
    )
    scans.subscribe(subscriber)
    waitUntil("the first scans") { subscriber.values.count == 10 }
    let other = try Publishers.IIOScans(device: "dummy1", channels: ["voltage0"], options: self.options)
    other.subscribe(ticks)
    waitUntil("the FIFO to overflow") { ticks.values.count >= 400 }
    other.finish()
    other.teardown.wait()
    subscriber.request(.unlimited)
    waitUntil("what comes after") { subscriber.values.count >= 200 }
    scans.finish()
    scans.teardown.wait()
    let late = scans.losses[.late]
    XCTAssertGreaterThan(late.count, 100)
    XCTAssertNotNil(late.first)
    XCTAssertGreaterThanOrEqual(scans.losses[.full].count, 1)
    XCTAssertFalse(scans.losses.mayHaveUncountedLosses, "times count them")
    XCTAssertEqual(scans.fifo.highest, 64)
    // The FIFO keeps the oldest: the gap is behind them.
    let readings = subscriber.values
    let widest = zip(readings, readings.dropFirst()).max { $0.1.time - $0.0.time < $1.1.time - $1.0.time }
    XCTAssertEqual(widest?.1.flags, .gapBefore)
    XCTAssertGreaterThan((widest?.1.time ?? 0) - (widest?.0.time ?? 0), 100_000_000)
  }

  /// More than one read takes: what is left behind is asked for.
  func testAFullFIFOThatTakesSeveralReadsIsFoundOnce() throws {
    var options = options
    options.length = 1_500
    options.watermark = 16
    options.samplingFrequency = "5000"
    let scans = try Publishers.IIOScans(device: "dummy0", channels: ["voltage0"], options: options)
    XCTAssertEqual(scans.fifo.capacity, 2_048, "a power of two")
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none)
    scans.subscribe(subscriber)
    waitUntil("the FIFO to be full") { Int(attribute("buffer/data_available")) ?? 0 >= 2_048 }
    subscriber.request(.unlimited)
    waitUntil("what comes after") { subscriber.values.count >= 2_500 }
    scans.finish()
    scans.teardown.wait()
    XCTAssertEqual(scans.losses[.full].count, 1)
    XCTAssertEqual(scans.fifo.highest, 2_048)
  }

  func testWhatHasGatheredAtTheEndComesToo() throws {
    var options = options
    options.length = 4_096
    options.watermark = 2_048
    let scans = try Publishers.IIOScans(device: "dummy0", options: options)
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    waitUntil("scans below the watermark") { Int(attribute("buffer/data_available")) ?? 0 >= 100 }
    XCTAssertEqual(subscriber.values.count, 0)
    scans.finish()
    scans.teardown.wait()
    XCTAssertGreaterThanOrEqual(subscriber.values.count, 100)
  }

  func testAnHrtimerTriggerOfItsOwn() throws {
    let before = state
    var options = IIOOptions()
    options.trigger = "own"
    options.makesTrigger = true
    options.samplingFrequency = "500"
    let scans = try Publishers.IIOScans(device: "dummy0", options: options)
    XCTAssertTrue(IIOTriggers.names().contains("own"))
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    waitUntil("scans") { subscriber.values.count >= 100 }
    subscriber.cancel()
    scans.teardown.wait()
    XCTAssertFalse(IIOTriggers.names().contains("own"))
    XCTAssertEqual(state, before)
  }

  /// The bytes that `iio_readdev` gets with the same trigger and channels say the same.
  func testTheSameAsIIOReaddev() throws {
    let channels = ["voltage0", "voltage1-voltage2", "accel_x"]
    let output = NSTemporaryDirectory() + "iio_readdev"
    let process = ChildProcess(
      "/usr/bin/iio_readdev", ["-u", "local:", "-t", "tick", "-b", "64", "-s", "256", "dummy0"] + channels,
      output: output)
    XCTAssertEqual(process.wait(), 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: output))
    let scans = try Publishers.IIOScans(device: "dummy0", channels: channels, options: options)
    // They leave the time out, which has no part in what the channels' indices say of the order.
    let formats = try scans.description.channels.map { try XCTUnwrap($0.format.flatMap { ScanFormat($0) }) }
    let layout = ScanLayout(channels: formats.enumerated().map { ($0.offset, $0.element) }, timestamp: nil)
    var decoded: [Reading] = []
    bytes.withUnsafeBytes { ScanDecoder(layout).decode($0, of: StreamID(0), into: &decoded) { _, _ in } }
    let theirs = decoded.map { $0.values.map(\.significand) }
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    waitUntil("256 scans") { subscriber.values.count >= 256 }
    subscriber.cancel()
    scans.teardown.wait()
    XCTAssertGreaterThanOrEqual(theirs.count, 256)
    XCTAssertEqual(Set(theirs), Set(subscriber.values.map { $0.values.map(\.significand) }))
  }

  func testWhatIsRefusedLeavesNothingBehind() throws {
    let before = state
    func refusal(_ device: String, _ channels: [String], _ options: IIOOptions) -> SluiceError? {
      do {
        _ = try Publishers.IIOScans(device: device, channels: channels, options: options)
        return nil
      } catch {
        return error
      }
    }
    XCTAssertEqual(refusal("nope", [], options)?.code, .notFound)
    XCTAssertTrue(refusal("dummy0", ["nope"], options)?.description.contains("accel_x") == true)
    var wrong = options
    wrong.trigger = "nope"
    XCTAssertTrue(refusal("dummy0", [], wrong)?.description.contains("tick") == true)
    wrong = options
    wrong.samplingFrequency = "fast"
    XCTAssertNotNil(refusal("dummy0", [], wrong))
    let first = try Publishers.IIOScans(device: "dummy0", options: options)
    XCTAssertEqual(refusal("dummy0", [], options)?.code, .busy)
    withExtendedLifetime(first) {}
    XCTAssertNotEqual(state, before)
  }

  func testALostCaptureIsUndone() throws {
    let before = state
    do { _ = try Publishers.IIOScans(device: "dummy0", options: options) }
    XCTAssertEqual(state, before)
  }

  func testAPolledAttribute() throws {
    let poll = try Publishers.PolledAttribute(path: "\(folder)/in_voltage0_raw", every: .milliseconds(5))
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .max(5))
    poll.subscribe(subscriber)
    waitUntil("five readings") { subscriber.values.count == 5 }
    subscriber.cancel()
    XCTAssertEqual(Set(subscriber.values.map { $0.values[0].description }), [attribute("in_voltage0_raw")])
  }
}
