import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceTesting
import XCTest

/// Two devices on one trigger: what one recording changes is not the other's to lose.
final class IIOTriggersTests: BoardTestCase {
  private let folder = "/sys/bus/iio/devices"
  private let second = "/sys/kernel/config/iio/devices/dummy/dummy1"
  private let hrtimers = "/sys/kernel/config/iio/triggers/hrtimer"

  override func setUpWithError() throws {
    try super.setUpWithError()
    XCTAssertEqual(mkdir(second, 0o755), 0)
    try write("50", "trigger0/sampling_frequency")
  }

  override func tearDown() {
    rmdir(second)
    super.tearDown()
  }

  private func write(_ value: String, _ file: String) throws {
    try value.write(toFile: "\(folder)/\(file)", atomically: false, encoding: .utf8)
  }

  private var rate: Double {
    (try? SimulatedChip.text("\(folder)/trigger0/sampling_frequency")).flatMap(Double.init) ?? 0
  }

  func testADeviceWithoutOneSaysSo() {
    XCTAssertThrowsError(try Publishers.IIOScans(device: "dummy0")) { error in
      XCTAssertTrue("\(error)".contains("name one with the key trigger (there is tick)"), "\(error)")
    }
  }

  private func scans(
    _ device: String, trigger: String = "tick", rate: String? = nil, makesTrigger: Bool = false,
    whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
  ) throws -> (scans: Publishers.IIOScans, subscriber: TestSubscriber<Reading, SluiceError>) {
    var options = IIOOptions()
    options.trigger = trigger
    options.samplingFrequency = rate
    options.makesTrigger = makesTrigger
    let scans = try Publishers.IIOScans(
      device: device, channels: ["voltage0"], options: options, whenRemoved: whenRemoved)
    let subscriber = TestSubscriber<Reading, SluiceError>()
    scans.subscribe(subscriber)
    return (scans, subscriber)
  }

  private func end(_ scans: Publishers.IIOScans) {
    scans.finish()
    scans.teardown.wait()
  }

  func testTheRateIsPutBackInWhicheverOrderTheyEnd() throws {
    for isFirstFirst in [true, false] {
      let first = try scans("dummy0", rate: "500")
      let second = try scans("dummy1", rate: "500")
      waitUntil("scans") { first.subscriber.values.count >= 50 && second.subscriber.values.count >= 50 }
      end(isFirstFirst ? first.scans : second.scans)
      XCTAssertEqual(rate, 500, "the other one goes on")
      let other = isFirstFirst ? second : first
      let count = other.subscriber.values.count
      waitUntil("more scans") { other.subscriber.values.count >= count + 50 }
      end(other.scans)
      XCTAssertEqual(rate, 50)
      XCTAssertEqual(IIOState.leftovers(), [])
    }
  }

  func testARemovedDeviceLeavesTheOtherItsRate() throws {
    let first = try scans("dummy0", rate: "500")
    let second = try scans("dummy1", rate: "500")
    waitUntil("scans") { first.subscriber.values.count >= 50 && second.subscriber.values.count >= 50 }
    XCTAssertEqual(rmdir("/sys/kernel/config/iio/devices/dummy/dummy0"), 0)
    waitUntil("the failure") { first.subscriber.failure != nil }
    first.scans.teardown.wait()
    XCTAssertEqual(mkdir("/sys/kernel/config/iio/devices/dummy/dummy0", 0o755), 0)
    XCTAssertEqual(rate, 500)
    end(second.scans)
    XCTAssertEqual(rate, 50)
    XCTAssertEqual(IIOState.leftovers(), [])
  }

  func testAnotherRateIsRefusedWhileATriggerIsRead() throws {
    let first = try scans("dummy0", rate: "200")
    XCTAssertThrowsError(try scans("dummy1", rate: "500")) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .busy)
      XCTAssertTrue("\(error)".contains("is being read with it"), "\(error)")
    }
    XCTAssertEqual(rate, 200)
    end(first.scans)
    XCTAssertEqual(rate, 50)
  }

  /// The trigger that one recording made is taken by another device, and stays when the first one ends.
  func testATriggerThatAnotherDeviceTookDoesNotBlockItsOwn() throws {
    let first = try scans("dummy0", trigger: "taken", rate: "200", makesTrigger: true)
    let second = try scans("dummy1", trigger: "taken")
    end(first.scans)
    XCTAssertTrue(IIOTriggers.names().contains("taken"))
    for (trigger, makesTrigger) in [("tick", false), ("taken", true)] {
      let again = try scans("dummy0", trigger: trigger, makesTrigger: makesTrigger)
      waitUntil("scans by \(trigger)") { again.subscriber.values.count >= 20 }
      end(again.scans)
    }
    let count = second.subscriber.values.count
    waitUntil("more scans") { second.subscriber.values.count >= count + 20 }
    end(second.scans)
    XCTAssertFalse(IIOTriggers.names().contains("taken"))
    XCTAssertEqual(IIOState.leftovers(), [])
  }

  /// With a trigger of its own, which the other device keeps meanwhile.
  func testADeviceComesBackToTheTriggerThatItMade() throws {
    let first = try scans("dummy0", trigger: "own", rate: "200", makesTrigger: true, whenRemoved: { _ in })
    let second = try scans("dummy1", trigger: "own")
    waitUntil("scans") { first.subscriber.values.count >= 50 && second.subscriber.values.count >= 50 }
    XCTAssertEqual(rmdir("/sys/kernel/config/iio/devices/dummy/dummy0"), 0)
    waitUntil("the removal") { first.scans.losses[.removed].count == 1 }
    let count = first.subscriber.values.count
    // In between, so that the one that comes back gets another number.
    XCTAssertEqual(mkdir("/sys/kernel/config/iio/devices/dummy/between", 0o755), 0)
    XCTAssertEqual(mkdir("/sys/kernel/config/iio/devices/dummy/dummy0", 0o755), 0)
    waitUntil("more scans") { first.subscriber.values.count >= count + 50 || first.subscriber.failure != nil }
    XCTAssertNil(first.subscriber.failure)
    end(first.scans)
    end(second.scans)
    XCTAssertFalse(IIOTriggers.names().contains("own"))
    XCTAssertEqual(IIOState.leftovers(), [])
    XCTAssertEqual(rmdir("/sys/kernel/config/iio/devices/dummy/between"), 0)
  }

  /// The kernel lowers the watermark with the length.
  func testTheWatermarkIsPutBack() throws {
    let buffer = "\(try IIODevice.find("dummy0").id)/buffer"
    try write("4096", "\(buffer)/length")
    try write("2048", "\(buffer)/watermark")
    let first = try scans("dummy0")
    XCTAssertNotEqual(try SimulatedChip.text("\(folder)/\(buffer)/watermark"), "2048")
    end(first.scans)
    XCTAssertEqual(try SimulatedChip.text("\(folder)/\(buffer)/length"), "4096")
    XCTAssertEqual(try SimulatedChip.text("\(folder)/\(buffer)/watermark"), "2048")
  }

  /// Another program has the device open.
  func testADeviceThatIsOpenIsLeftAlone() throws {
    let id = try IIODevice.find("dummy0").id
    let opened = open("/dev/\(id)", O_RDONLY)
    XCTAssertGreaterThanOrEqual(opened, 0)
    defer { close(opened) }
    XCTAssertThrowsError(try scans("dummy0", rate: "500")) { error in
      XCTAssertTrue("\(error)".contains("/dev/\(id)"), "\(error)")
    }
    XCTAssertEqual(rate, 50)
    XCTAssertEqual(IIOState.leftovers(), [])
  }
}
