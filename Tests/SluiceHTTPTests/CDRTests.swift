import SluiceCDR
import SluiceReadings
import XCTest

final class CDRTests: XCTestCase {
  func testNumbersBeginAtMultiplesOfTheirSize() {
    var writer = CDRWriter()
    writer.append(UInt8(7))
    writer.append(UInt32(1))
    writer.append(UInt8(9))
    writer.append(2.5)
    XCTAssertEqual(
      writer.bytes,
      [0, 1, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 4, 0x40])
  }

  func testAStringHasItsLengthAndAZero() {
    var writer = CDRWriter()
    writer.append("ab")
    XCTAssertEqual(writer.bytes, [0, 1, 0, 0, 3, 0, 0, 0, 0x61, 0x62, 0])
  }

  func testAStreamIsAType() {
    let message = ROS2Message(
      StreamDescription(
        name: "front imu-2",
        channels: [
          .init(name: "accel_x", unit: "m/s^2"), .init(name: "accel x"), .init(name: "3"), .init(name: "stamp"),
        ]))
    XCTAssertEqual(message.type, "sluice/msg/FrontImu2")
    XCTAssertEqual(message.fields, ["accel_x", "accel_x_2", "c_3", "stamp_2"])
    XCTAssertTrue(message.definition.contains("float64 accel_x # m/s^2\nfloat64 accel_x_2\n"))
    let bytes = message.bytes(time: -1, flags: .gapBefore, values: [1, 2, 3, 4])
    XCTAssertEqual(Array(bytes[4..<13]), [255, 255, 255, 255, 255, 0xc9, 0x9a, 0x3b, 1])
    XCTAssertEqual(bytes.count, 4 + 16 + 4 * 8)
  }
}
