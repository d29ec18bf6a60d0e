import Foundation
import Sluice
import SluiceDevices
import SluiceRecording
import SluiceTesting
import XCTest

/// What happens to a device when its recording is killed, and to a recording when its device is removed.
final class IIORepairTests: BoardTestCase {
  private let dummy = "/sys/kernel/config/iio/devices/dummy/dummy0"
  private let hrtimer = "/sys/kernel/config/iio/triggers/hrtimer/made"

  private var folder: String {
    let id = try? IIODevice.find("dummy0").id
    return "/sys/bus/iio/devices/\(id ?? "")"
  }

  private func attribute(_ name: String) -> String { (try? SimulatedChip.text("\(folder)/\(name)")) ?? "" }

  private var state: [String] {
    ["trigger/current_trigger", "current_timestamp_clock", "buffer/enable", "buffer/length", "buffer/watermark"].map(
      attribute)
      + ["in_voltage0", "in_accel_x", "in_timestamp"].map { attribute("scan_elements/\($0)_en") }
  }

  private var options: IIOOptions {
    var options = IIOOptions()
    options.trigger = "tick"
    options.samplingFrequency = "1000"
    return options
  }

  /// Runs the command until the buffer is enabled, and kills it.
  private func recordAndKill() throws {
    let process = Process()
    // Beside the test bundle.
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = products.appendingPathComponent("sluice")
    let output = NSTemporaryDirectory() + "killed.csv"
    process.arguments = ["record", "--iio", "dummy0", "--trigger", "hrtimer:made", "-o", output, "--force", "--quiet"]
    try process.run()
    waitUntil("the recording") { attribute("buffer/enable") == "1" }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    XCTAssertEqual(attribute("buffer/enable"), "1", "it was left so")
    XCTAssertTrue(FileManager.default.fileExists(atPath: hrtimer))
  }

  func testTheNextRecordingRepairsIt() throws {
    let before = state
    try recordAndKill()
    XCTAssertEqual(IIOState.leftovers().map(\.name), ["dummy0"])
    let scans = try Publishers.IIOScans(device: "dummy0", channels: ["voltage0"], options: options)
    XCTAssertEqual(scans.restored.count, 1)
    XCTAssertFalse(FileManager.default.fileExists(atPath: hrtimer))
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    waitUntil("scans") { subscriber.values.count >= 100 }
    scans.finish()
    scans.teardown.wait()
    XCTAssertEqual(state, before)
    XCTAssertFalse(FileManager.default.fileExists(atPath: hrtimer))
  }

  func testARemovedDeviceIsNamed() throws {
    let scans = try Publishers.IIOScans(device: "dummy0", options: options)
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    waitUntil("scans") { subscriber.values.count >= 100 }
    XCTAssertEqual(rmdir(dummy), 0)
    waitUntil("the failure") { subscriber.failure != nil }
    scans.teardown.wait()
    XCTAssertEqual(mkdir(dummy, 0o755), 0)
    XCTAssertEqual(subscriber.failure?.code, .disconnected)
    XCTAssertTrue(subscriber.failure?.description.contains("dummy0") == true)
    XCTAssertEqual(IIOState.leftovers(), [])
  }

  func testADeviceThatComesBackGoesOn() throws {
    let scans = try Publishers.IIOScans(
      device: "dummy0", channels: ["voltage0"], options: options, whenRemoved: { _ in })
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    waitUntil("scans") { subscriber.values.count >= 100 }
    XCTAssertEqual(rmdir(dummy), 0)
    waitUntil("the removal") { scans.losses[.removed].count == 1 }
    let count = subscriber.values.count
    XCTAssertEqual(mkdir(dummy, 0o755), 0)
    waitUntil("more scans") { subscriber.values.count >= count + 100 }
    scans.finish()
    scans.teardown.wait()
    let readings = subscriber.values
    XCTAssertEqual(Set(readings.map { $0.values.map(\.significand) }), [[7]])
    XCTAssertEqual(readings[count].flags, .gapBefore)
    XCTAssertEqual(readings.map(\.time), readings.map(\.time).sorted())
    XCTAssertEqual(attribute("buffer/enable"), "0")
    XCTAssertTrue(subscriber.isFinished)
  }
}
