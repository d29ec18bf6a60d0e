import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
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

  /// Runs the command, and kills it as soon as something is so.
  private func recordAndKill(as what: String, _ condition: (_ output: String) -> Bool) throws {
    // Beside the test bundle.
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let output = NSTemporaryDirectory() + "killed.csv"
    try? FileManager.default.removeItem(atPath: output)
    let process = ChildProcess(
      products.appendingPathComponent("sluice").path,
      ["record", "iio:dummy0", "--trigger", "hrtimer:made", "-o", output, "--force", "--quiet"])
    waitUntil(what, every: 0) { condition(output) }
    process.wait(after: SIGKILL)
    XCTAssertTrue(FileManager.default.fileExists(atPath: hrtimer))
  }

  private func checkTheNextRecordingRepairsIt(_ before: [String]) throws {
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
    XCTAssertEqual(IIOState.leftovers(), [])
    XCTAssertFalse(FileManager.default.fileExists(atPath: hrtimer))
  }

  func testTheNextRecordingRepairsIt() throws {
    let before = state
    // A row is there after the buffer has been enabled; `enable` says 1 before.
    try recordAndKill(as: "a row") { output in
      ((try? String(contentsOfFile: output, encoding: .utf8)) ?? "").split(separator: "\n").count >= 2
    }
    XCTAssertEqual(attribute("buffer/enable"), "1", "it was left so")
    try checkTheNextRecordingRepairsIt(before)
  }

  /// `enable` says 1 as soon as the kernel begins to enable the buffer (`iio_buffer_activate` in
  /// drivers/iio/industrialio-buffer.c). To attach the trigger it starts a thread, which a signal that kills keeps it from
  /// (`__kthread_create_on_node` in kernel/kthread.c): then it disables the buffer again itself.
  func testARecordingThatIsKilledWhileItEnablesIsRepaired() throws {
    let before = state
    var left: [String: Int] = [:]
    for _ in 1...6 {
      try recordAndKill(as: "the buffer") { _ in attribute("buffer/enable") == "1" }
      left[attribute("buffer/enable"), default: 0] += 1
      try checkTheNextRecordingRepairsIt(before)
    }
    print("killed while it enabled the buffer: \(left["1", default: 0]) left it enabled, \(left["0", default: 0]) not")
    XCTAssertEqual(left["0", default: 0] + left["1", default: 0], 6, "\(left)")
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
