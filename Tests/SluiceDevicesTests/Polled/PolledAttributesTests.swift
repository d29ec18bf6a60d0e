import Foundation
import Sluice
import SluiceReadings
import XCTest

@testable import SluiceDevices

final class PolledAttributesTests: XCTestCase {
  private func makeFixture() -> SysfsFixture {
    let fixture = SysfsFixture()
    func put(_ file: String, _ text: String) { fixture.put("\(fixture.root)/sys/class/\(file)", text + "\n") }
    put("hwmon/hwmon0/name", "coretemp")
    put("hwmon/hwmon0/temp1_input", "41000")
    put("hwmon/hwmon0/temp1_label", "Package id 0")
    put("hwmon/hwmon0/in0_input", "1204")
    put("hwmon/hwmon1/name", "rpi_volt")
    put("thermal/thermal_zone0/type", "cpu-thermal")
    put("thermal/thermal_zone0/temp", "38500")
    put("thermal/thermal_zone1/type", "acpitz")
    put("thermal/thermal_zone1/temp", "1")
    put("thermal/thermal_zone2/type", "acpitz")
    put("thermal/thermal_zone2/temp", "2")
    fixture.write("in_temp_raw", "100")
    fixture.write("in_temp_offset", "-50")
    fixture.write("in_temp_scale", "2.5")
    fixture.write("in_pressure_input", "101.325")
    return fixture
  }

  func testNamesStandForFiles() throws {
    let fixture = makeFixture()
    let (roots, sys) = (fixture.roots, "\(fixture.root)/sys")
    let expected = [
      "hwmon:coretemp:temp1": "class/hwmon/hwmon0/temp1_input",
      "hwmon:coretemp:Package id 0": "class/hwmon/hwmon0/temp1_input",
      "hwmon:hwmon0:in0": "class/hwmon/hwmon0/in0_input",
      "thermal:cpu-thermal": "class/thermal/thermal_zone0/temp",
      "thermal:thermal_zone2": "class/thermal/thermal_zone2/temp",
      "iio:bmi160:temp": "bus/iio/devices/iio:device0/in_temp_raw",
      "iio:iio:device0:in_temp": "bus/iio/devices/iio:device0/in_temp_raw",
      "iio:0:pressure": "bus/iio/devices/iio:device0/in_pressure_input",
    ]
    for (name, file) in expected { XCTAssertEqual(try PolledAttributes.path(of: name, roots: roots), "\(sys)/\(file)") }
    for path in ["/sys/a:b", "temp", "hwmon:x", "other:x:y"] {
      XCTAssertEqual(try PolledAttributes.path(of: path, roots: roots), path)
    }
    for name in [
      "hwmon:nope:temp1", "hwmon:coretemp:nope", "hwmon:rpi_volt:in0", "thermal:acpitz", "thermal:nope", "iio:0:nope",
      "iio:nope:temp",
    ] {
      XCTAssertThrowsError(try PolledAttributes.path(of: name, roots: roots), name)
    }
  }

  private func describe(_ name: String, _ fixture: SysfsFixture, inSI: Bool) throws -> [String?] {
    let path = try PolledAttributes.path(of: name, roots: fixture.roots)
    let poll = try Publishers.PolledAttribute(path: path, every: .seconds(1), inSI: inSI)
    let channel = try XCTUnwrap(poll.description.channels.first)
    return [channel.unit, channel.scale.description, channel.offset.description]
  }

  func testUnitsScaleAndOffset() throws {
    let fixture = makeFixture()
    XCTAssertEqual(try describe("hwmon:coretemp:temp1", fixture, inSI: false), ["m°C", "1", "0"])
    XCTAssertEqual(try describe("hwmon:coretemp:in0", fixture, inSI: true), ["V", "0.001", "0"])
    XCTAssertEqual(try describe("thermal:cpu-thermal", fixture, inSI: true), ["°C", "0.001", "0"])
    XCTAssertEqual(try describe("iio:0:temp", fixture, inSI: false), ["m°C", "2.5", "-50"])
    XCTAssertEqual(try describe("iio:0:pressure", fixture, inSI: true)[0], "Pa")
    fixture.write("in_temp_scale", "big")
    XCTAssertThrowsError(try describe("iio:0:temp", fixture, inSI: false))
  }

  /// By what the thing calls itself: its number may be another after a boot.
  func testAStreamIsCalledByItsOwner() throws {
    let fixture = makeFixture()
    fixture.put("\(fixture.root)/sys/class/hwmon/hwmon5/in0_input", "1")
    fixture.put("\(fixture.root)/elsewhere/number", "1")
    for (file, name) in [
      ("sys/class/hwmon/hwmon0/in0_input", "coretemp/in0_input"),
      ("sys/class/hwmon/hwmon5/in0_input", "hwmon5/in0_input"),
      ("sys/class/thermal/thermal_zone0/temp", "cpu-thermal/temp"),
      ("sys/bus/iio/devices/iio:device0/in_temp_raw", "bmi160/in_temp_raw"), ("elsewhere/number", "elsewhere/number"),
    ] {
      let path = "\(fixture.root)/\(file)"
      let poll = try Publishers.PolledAttribute(path: path, every: .seconds(1))
      XCTAssertEqual(poll.description.name, name)
      XCTAssertEqual(poll.description.device?.path, path)
      XCTAssertNil(poll.description.device?.bus)
      XCTAssertEqual(
        poll.description.device?.name,
        name.hasPrefix("elsewhere") || name.hasPrefix("hwmon5")
          ? nil
          : String(name.prefix { $0 != "/" }))
    }
  }
}
