import SluiceReadings
import XCTest

@testable import SluiceDevices

final class SIUnitsTests: XCTestCase {
  private func inSI(_ unit: String?, _ scale: String) throws -> [String?] {
    let scale = try XCTUnwrap(ExactDecimal(scale))
    let channel = StreamDescription.Channel(name: "x", unit: unit, scale: scale).inSI
    return [channel.unit, channel.scale.description]
  }

  func testUnitsOfTheKernel() throws {
    XCTAssertEqual(try inSI("mV", "0.000598550"), ["V", "0.000000598550"])
    XCTAssertEqual(try inSI("m°C", "1"), ["°C", "0.001"])
    XCTAssertEqual(try inSI("Gauss", "0.25"), ["T", "0.000025"])
    XCTAssertEqual(try inSI("m%", "3"), ["%", "0.003"])
    XCTAssertEqual(try inSI("uW", "1"), ["W", "0.000001"])
    XCTAssertEqual(try inSI("m/s^2", "0.5"), ["m/s^2", "0.5"])
    XCTAssertEqual(try inSI(nil, "0.5"), [nil, "0.5"])
    let pressure = StreamDescription.Channel(
      name: "pressure", unit: "kPa", scale: ExactDecimal(significand: 25, exponent: -5))
    XCTAssertEqual(pressure.inSI.unit, "Pa")
    XCTAssertEqual(pressure.inSI.scale, ExactDecimal(significand: 25, exponent: -2))
  }

  func testAScaleAtTheEndOfItsRangeStays() {
    let channel = StreamDescription.Channel(
      name: "x", unit: "mV", scale: ExactDecimal(significand: 1, exponent: -99))
    XCTAssertEqual(channel.inSI, channel)
  }

  func testUnitsByTheNamesOfChannels() {
    let expected = [
      "accel_x": "m/s^2", "anglvel_z": "rad/s", "incli_x": "deg", "rot_from_north_magnetic": "deg",
      "magn_y": "Gauss", "voltage0": "mV", "voltage0-voltage1": "mV", "current3": "mA", "temp_ambient": "m°C",
      "pressure": "kPa", "humidityrelative": "m%", "illuminance0": "lx", "concentration_co2": "%",
      "massconcentration_pm2p5": "ug/m^3", "velocity_sqrt(x^2+y^2+z^2)": "m/s",
    ]
    for (name, unit) in expected { XCTAssertEqual(IIOChannel.unit(name), unit, name) }
    for name in ["rot_quaternion", "steps", "proximity0", "intensity_both", "ph", "", "0", "count0"] {
      XCTAssertNil(IIOChannel.unit(name), name)
    }
  }
}
