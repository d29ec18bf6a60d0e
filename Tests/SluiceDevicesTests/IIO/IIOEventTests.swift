import Foundation
import Sluice
import SluiceReadings
import XCTest

@testable import SluiceDevices

final class IIOEventTests: XCTestCase {
  /// `IIO_EVENT_CODE` of include/linux/iio/events.h.
  private func code(
    type: UInt64, channel: Int16 = 0, channel2: Int16 = 0, modifier: UInt64 = 0, differential: UInt64 = 0,
    direction: UInt64, event: UInt64
  ) -> IIOEventCode {
    IIOEventCode(
      id: event << 56 | differential << 55 | direction << 48 | modifier << 40 | type << 32
        | UInt64(UInt16(bitPattern: channel2)) << 16 | UInt64(UInt16(bitPattern: channel)))
  }

  func testNamesAreThoseOfSysfs() {
    XCTAssertEqual(code(type: 0, channel: 3, direction: 1, event: 0).names.first, "voltage3_thresh_rising")
    XCTAssertEqual(
      code(type: 0, channel: 1, channel2: 2, differential: 1, direction: 2, event: 2).names.first,
      "voltage1-voltage2_roc_falling")
    XCTAssertTrue(code(type: 3, modifier: 1, direction: 1, event: 1).names.contains("accel_x_mag_rising"))
    XCTAssertTrue(code(type: 3, modifier: 7, direction: 2, event: 1).names.contains("accel_x&y&z_mag_falling"))
    XCTAssertTrue(
      code(type: 19, modifier: 29, direction: 2, event: 0).names.contains("activity_walking_thresh_falling"))
    XCTAssertTrue(code(type: 20, direction: 3, event: 5).names.contains("steps_change"))
    XCTAssertTrue(code(type: 6, direction: 1, event: 0).names.contains("illuminance_thresh_either"))
    XCTAssertTrue(code(type: 3, direction: 5, event: 7).names.contains("accel_gesture_doubletap"))
    XCTAssertEqual(code(type: 200, direction: 1, event: 0).names, [])
    XCTAssertEqual(code(type: 0, direction: 1, event: 200).names, [])
    XCTAssertEqual((0...6).map { code(type: 0, direction: $0, event: 0).value }, [0, 1, -1, 0, 1, 2, 0])
  }

  /// Numbers are added at the end, so that those that are there stay (include/uapi/linux/iio/types.h).
  func testModifiersAndTypesOfNewerKernels() {
    func name(_ type: UInt64, _ modifier: UInt64) -> String? {
      code(type: type, modifier: modifier, direction: 1, event: 0).names.first { !$0.contains("0") }
    }
    XCTAssertEqual(name(7, 36), "intensity_uv_thresh_rising")
    XCTAssertEqual(name(7, 37), "intensity_duv_thresh_rising")
    XCTAssertEqual(name(34, 38), "massconcentration_pm1_thresh_rising")
    XCTAssertEqual(name(24, 44), "concentration_o2_thresh_rising")
    XCTAssertEqual(name(3, 45), "accel_linear_x_thresh_rising")
    XCTAssertEqual(name(11, 50), "rot_roll_thresh_rising")
    XCTAssertEqual(name(7, 51), "intensity_uva_thresh_rising")
    XCTAssertEqual(name(7, 52), "intensity_uvb_thresh_rising")
    XCTAssertEqual(code(type: 0, channel: 1, direction: 6, event: 8).names.first, "voltage1_fault_openwire")
  }

  func testEventsBecomeReadingsOfTheirStreams() {
    var decoder = IIOEventDecoder(["steps_change", "voltage0_thresh_rising"], from: StreamID(4))
    let codes = [
      code(type: 0, direction: 1, event: 0), code(type: 20, direction: 3, event: 5),
      code(type: 9, direction: 2, event: 0),
    ]
    var bytes: [UInt8] = []
    for (number, code) in codes.enumerated() {
      bytes += withUnsafeBytes(of: code.id, Array.init) + withUnsafeBytes(of: Int64(number), Array.init)
    }
    var readings: [Reading] = []
    bytes.withUnsafeBytes { decoder.decode($0) { readings.append($0) } }
    XCTAssertEqual(readings.map(\.stream.index), [5, 4, 6])
    XCTAssertEqual(readings.map(\.time), [0, 1, 2])
    XCTAssertEqual(readings.map { $0.values[0].significand }, [1, 0, Int64(bitPattern: codes[2].id)])
    decoder.markGap()
    readings = []
    (bytes + bytes + [1, 2, 3]).withUnsafeBytes { decoder.decode($0) { readings.append($0) } }
    XCTAssertEqual(readings.map(\.flags), [.gapBefore, .gapBefore, .gapBefore, [], [], []])
  }

  func testNoBytesTrap() {
    var decoder = IIOEventDecoder(["a"], from: StreamID(.max))
    var bytes = [UInt8](repeating: 0, count: 160_000)
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
    var count = 0
    bytes.withUnsafeBytes { decoder.decode($0) { _ in count += 1 } }
    XCTAssertEqual(count, 10_000)
  }

  func testEventsOfADevice() throws {
    let fixture = SysfsFixture()
    let device = try IIODevice.find("0", roots: fixture.roots)
    XCTAssertEqual(device.events(), [])
    XCTAssertThrowsError(try device.events(named: []))
    fixture.write("events/in_accel_x_thresh_rising_en", "0")
    fixture.write("events/in_accel_x_thresh_rising_value", "300")
    fixture.write("events/in_steps_change_en", "1")
    XCTAssertEqual(
      device.events(),
      [
        IIOEvent(name: "accel_x_thresh_rising", isEnabled: false, value: "300"),
        IIOEvent(name: "steps_change", isEnabled: true, value: nil),
      ])
    XCTAssertEqual(try device.events(named: ["accel_x_thresh_rising=-5"]).map(\.value), ["-5"])
    for name in ["nope", "", "=", "steps_change=3", "accel_x_thresh_rising=fast", "accel_x_thresh_rising="] {
      XCTAssertThrowsError(try device.events(named: [name]), name)
    }
    XCTAssertThrowsError(try device.events(named: ["steps_change", "steps_change"]))
  }

  /// A plain file is no device: what was changed until then is put back.
  func testAFailureMidwayIsUndone() throws {
    let fixture = SysfsFixture()
    fixture.write("events/in_steps_change_en", "0")
    XCTAssertThrowsError(try Publishers.IIOEvents(device: "0", roots: fixture.roots)) { error in
      XCTAssertTrue((error as? SluiceError)?.description.contains("IIO_GET_EVENT_FD_IOCTL") == true, "\(error)")
    }
    XCTAssertTrue(fixture.read("iio:device0/current_timestamp_clock").hasPrefix("realtime"))
    XCTAssertEqual(fixture.read("iio:device0/events/in_steps_change_en"), "0")
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [])
  }
}
