import Foundation
import SluiceDevices
import XCTest

final class SensorsTests: XCTestCase {
  func testHardwareMonitorsInTheOrderOfTheirNumbers() {
    let fixture = SysfsFixture()
    let hwmon = "\(fixture.root)/sys/class/hwmon"
    fixture.put("\(hwmon)/hwmon10/name", "later\n")
    fixture.put("\(hwmon)/hwmon2/name", "board\n")
    for (file, text) in [
      ("temp10_input", "48500"), ("temp2_input", "broken"), ("temp2_label", "Tctl"), ("temp2_max", "90000"),
      ("fan1_input", "1200"), ("power1_average", "5"), ("power1_input", "7"), ("in0_alarm", "0"), ("pwm1", "3"),
      ("intrusion0_input", "1"), ("temp_input", "1"), ("freq1_input", "800000000"),
    ] { fixture.put("\(hwmon)/hwmon2/\(file)", text + "\n") }
    let monitors = HardwareMonitor.list(roots: fixture.roots)
    XCTAssertEqual(monitors.map(\.name), ["board", "later"])
    let sensors = monitors[0].sensors
    XCTAssertEqual(sensors.map(\.name), ["fan1", "freq1", "temp2", "power1", "temp10"])
    XCTAssertEqual(sensors.map(\.unit), ["RPM", "Hz", "m°C", "uW", "m°C"])
    XCTAssertEqual(sensors.map { $0.value?.description }, ["1200", "800000000", nil, "7", "48500"])
    XCTAssertEqual(sensors.compactMap(\.failure).map(\.cause), ["\"broken\" is not a number"])
    XCTAssertEqual(sensors[2].failure?.object, sensors[2].path)
    XCTAssertEqual(sensors.map(\.label), [nil, nil, "Tctl", nil, nil])
    XCTAssertEqual(sensors[3].path, "\(hwmon)/hwmon2/power1_input")
  }

  func testThermalZones() {
    let fixture = SysfsFixture()
    let thermal = "\(fixture.root)/sys/class/thermal"
    fixture.put("\(thermal)/thermal_zone0/type", "cpu-thermal\n")
    fixture.put("\(thermal)/thermal_zone0/temp", "47774\n")
    fixture.put("\(thermal)/thermal_zone1/mode", "disabled\n")
    fixture.put("\(thermal)/cooling_device0/type", "fan\n")
    let zones = ThermalZone.list(roots: fixture.roots)
    XCTAssertEqual(zones.map(\.type), ["cpu-thermal", "thermal_zone1"])
    XCTAssertEqual(zones.map { $0.value?.description }, ["47774", nil])
    XCTAssertEqual(zones.map(\.failure?.code), [nil, .notFound])
    XCTAssertEqual(zones[0].path, "\(thermal)/thermal_zone0/temp")
  }

  func testWhatOfAnIIODeviceCanBePolled() throws {
    let fixture = SysfsFixture()
    fixture.write("in_temp_input", "21000")
    fixture.write("in_accel_x_raw", "5")
    let device = try IIODevice.find("0", roots: fixture.roots)
    XCTAssertEqual(device.inputs.map { $0.split(separator: "/").last }, ["in_accel_x_raw", "in_temp_input"])
    fixture.write("in_accel_scale", "nonsense")
    XCTAssertEqual(IIODevice.ids(roots: fixture.roots), ["iio:device0"], "also where it makes no sense")
  }
}
