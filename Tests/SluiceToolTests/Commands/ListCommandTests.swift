import Foundation
import SluicePipeline
import XCTest

final class ListCommandTests: CommandTestCase {
  private func makeDevices() throws {
    let device = "sys/bus/iio/devices/iio:device0"
    for (file, text) in [
      ("name", "bmi160"), ("label", "left \"knee\""), ("in_accel_scale", "0.5"), ("in_accel_x_raw", "7"),
      ("sampling_frequency", "100"), ("sampling_frequency_available", "25 50 100"), ("buffer/enable", "0"),
      ("trigger/current_trigger", "tick"), ("scan_elements/in_accel_x_en", "0"),
      ("scan_elements/in_accel_x_index", "0"), ("scan_elements/in_accel_x_type", "le:s16/16>>0"),
      ("scan_elements/in_timestamp_en", "0"),
    ] { try put("\(device)/\(file)", text) }
    try put("sys/bus/iio/devices/trigger0/name", "tick")
    try put("\(device)/events/in_accel_x_thresh_rising_en", "1")
    try put("\(device)/events/in_accel_x_thresh_rising_value", "300")
    try put("sys/class/input/event0/device/name", "knob")
    try put("sys/class/input/event0/device/phys", "gpio/0")
    try put("sys/class/input/event0/device/capabilities/key", "10000000")
    try put("sys/class/input/event0/device/capabilities/rel", "80")
    try put("sys/class/pps/pps0/name", "ktimer")
    try put("sys/class/hwmon/hwmon0/name", "cpu_thermal")
    try put("sys/class/hwmon/hwmon0/temp1_input", "48500")
    try put("sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    try put("sys/class/thermal/thermal_zone0/temp", "47774")
  }

  func testTables() throws {
    try makeDevices()
    XCTAssertEqual(
      try run("list --root .").replacingOccurrences(of: "./sys", with: "SYS"),
      """
      iio:device0 [bmi160] label left "knee", 1 channel, timestamp, trigger tick
        rate 100 Hz, available: 25 50 100
        channel  unit   format        scale  offset
        accel_x  m/s^2  le:s16/16>>0    0.5       0
        event accel_x_thresh_rising at 300, enabled
        poll SYS/bus/iio/devices/iio:device0/in_accel_x_raw

      triggers: tick

      event0 [knob] 2 codes
        KEY_ENTER, REL_DIAL

      PPS devices
        device  name    line
        pps0    ktimer  -

      hwmon0 [cpu_thermal] 1 sensor
        sensor  label  value  unit  poll
        temp1   -      48500  m°C   SYS/class/hwmon/hwmon0/temp1_input

      thermal zones
        zone           type         value  unit  poll
        thermal_zone0  cpu-thermal  47774  m°C   SYS/class/thermal/thermal_zone0/temp

      """)
    XCTAssertFalse(try run("list hwmon --root .").contains("bmi160"))
    XCTAssertTrue(try run("list i2c --root .", status: 64).contains("i2c"))
  }

  func testJSONSaysTheSame() throws {
    try makeDevices()
    let listing = try XCTUnwrap(try parse(run("list --root . --json")))
    XCTAssertEqual(
      Set(listing.keys),
      ["gpio", "iio", "triggers", "input", "pps", "serial", "hwmon", "thermal", "can", "failures"])
    let device = try XCTUnwrap((listing["iio"] as? [[String: Any]])?.first)
    XCTAssertEqual(device["label"] as? String, "left \"knee\"")
    XCTAssertEqual(device["sampling_frequency_available"] as? String, "25 50 100")
    let channel = try XCTUnwrap((device["channels"] as? [[String: Any]])?.first)
    XCTAssertEqual(channel["scale"] as? Double, 0.5)
    XCTAssertEqual(channel["unit"] as? String, "m/s^2")
    let knob = try XCTUnwrap((listing["input"] as? [[String: Any]])?.first)
    XCTAssertEqual(knob["codes"] as? [String], ["KEY_ENTER", "REL_DIAL"])
    XCTAssertEqual(knob["physical"] as? String, "gpio/0")
    let pulses = try XCTUnwrap((listing["pps"] as? [[String: Any]])?.first)
    XCTAssertEqual(pulses["name"] as? String, "ktimer")
    let zone = try XCTUnwrap((listing["thermal"] as? [[String: Any]])?.first)
    XCTAssertEqual(zone["value"] as? Int, 47_774)
    XCTAssertEqual(try parse(run("list thermal --root . --json")).map { Set($0.keys) }, ["thermal", "failures"])
  }

  func testWhatCannotBeUnderstoodIsSaid() throws {
    try makeDevices()
    try put("sys/bus/iio/devices/iio:device0/in_accel_scale", "big")
    let said = try run("list iio --root .")
    XCTAssertTrue(said.contains("in_accel_scale: \"big\" is not a number"), said)
    try put("sys/class/hwmon/hwmon0/temp1_input", "hot")
    try put("sys/class/thermal/thermal_zone0/temp", "")
    let sensors = try run("list hwmon thermal --root .")
    XCTAssertTrue(sensors.contains("temp1_input: \"hot\" is not a number"), sensors)
    XCTAssertTrue(sensors.contains("thermal_zone0/temp: \"\" is not a number"), sensors)
  }

  func testNothingIsThere() throws {
    XCTAssertEqual(try run("list --root ."), "no device; 'sluice record sim:imu -o walk.csv' needs none\n")
  }

  private func parse(_ text: String) throws -> [String: Any]? {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }
}
