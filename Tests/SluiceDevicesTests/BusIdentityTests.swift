import Foundation
import Sluice
import SluiceReadings
import XCTest

@testable import SluiceDevices

final class BusIdentityTests: XCTestCase {
  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// Makes a folder as the kernel lays out a device: with a link to its bus or class.
  private func device(_ folder: String, on subsystem: String, _ root: String) throws {
    try FileManager.default.createDirectory(atPath: "\(root)/sys/\(subsystem)", withIntermediateDirectories: true)
    try link("\(root)/sys/\(folder)/subsystem", to: "\(root)/sys/\(subsystem)")
  }

  func testADeviceIsKnownByTheBusThatItIsOn() throws {
    let fixture = SysfsFixture()
    let root = fixture.root
    let folder = "devices/platform/soc/3f804000.i2c/i2c-1/1-0048"
    try device("devices/platform/soc", on: "bus/platform", root)
    try device(folder, on: "bus/i2c", root)
    try device("\(folder)/iio:device3", on: "bus/iio", root)
    try link("\(root)/sys/bus/iio/devices/iio:device3", to: "\(root)/sys/\(folder)/iio:device3")
    try device("\(folder)/hwmon/hwmon2", on: "class/hwmon", root)
    let bus = SysfsFolder(path: "\(root)/sys/bus/iio/devices")
    XCTAssertEqual(bus.folder("iio:device3").busIdentity, "1-0048")
    XCTAssertEqual(SysfsFolder(path: "\(root)/sys/\(folder)/hwmon/hwmon2").busIdentity, "1-0048")
    XCTAssertEqual(SysfsFolder(path: "\(root)/sys/\(folder)").busIdentity, "1-0048", "polled itself")
    // iio_dummy has no parent on a bus.
    XCTAssertNil(bus.folder("iio:device0").busIdentity)
    XCTAssertNil(bus.folder("iio:device9").busIdentity, "not there")
  }

  func testAStreamSaysWhatItComesFrom() throws {
    let fixture = SysfsFixture()
    let devices = "\(fixture.root)/sys/bus/iio/devices"
    let folder = "devices/spi0.0/iio:device0"
    try device("devices/spi0.0", on: "bus/spi", fixture.root)
    try FileManager.default.moveItem(atPath: "\(devices)/iio:device0", toPath: "\(fixture.root)/sys/\(folder)")
    try link("\(devices)/iio:device0", to: "\(fixture.root)/sys/\(folder)")
    let expected = StreamDescription.Device(
      path: "\(fixture.root)/dev/iio:device0", bus: "spi0.0", label: "front", name: "bmi160")
    XCTAssertEqual(
      try Publishers.IIOScans(device: "0", roots: fixture.roots).description.device, expected)
    fixture.write("in_temp_raw", "3")
    let path = "\(devices)/iio:device0/in_temp_raw"
    let polled = try Publishers.PolledAttribute(path: path, every: .seconds(1)).description
    XCTAssertEqual(
      polled.device, StreamDescription.Device(path: path, bus: "spi0.0", label: "front", name: "bmi160"))
    XCTAssertEqual(polled.name, "bmi160/in_temp_raw")
  }
}
