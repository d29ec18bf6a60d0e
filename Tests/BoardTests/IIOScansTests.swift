import Foundation
import Sluice
import SluiceDevices
import SluiceRecording
import SluiceTesting
import XCTest

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
    let times = readings.map(\.time)
    XCTAssertEqual(times, times.sorted())
    XCTAssertEqual(Set(times).count, times.count)
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    XCTAssertLessThan(abs(now - (times.last ?? 0)), 60_000_000_000, "since the epoch")
    // What the dummy driver puts into its scans is fixed (drivers/iio/dummy/iio_simple_dummy_buffer.c, `fakedata`).
    for reading in readings { XCTAssertEqual(reading.values.prefix(3).map(\.significand), [7, -33, -2]) }
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
