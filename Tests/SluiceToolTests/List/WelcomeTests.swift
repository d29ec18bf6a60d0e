import XCTest

@testable import SluiceTool

final class WelcomeTests: CommandTestCase {
  func testWithoutDevicesASimulatedSensorIsOffered() throws {
    let text = Welcome([]).text
    for line in [
      "This machine has no GPIO chip", "sluice record sim:imu --duration 5s -o walk.csv", "sluice plot walk.csv",
    ] {
      XCTAssertTrue(text.contains(line), text)
    }
  }

  func testTheFirstThatCanBeRecordedIsTheExample() {
    let devices = [
      ListedDevice(name: "gpiochip0", what: "8 lines", source: nil),
      ListedDevice(name: "iio:device0", what: "bmi160, 6 channels", source: "iio:bmi160"),
    ]
    let lines = Welcome(devices).text.split(separator: "\n").map(String.init)
    XCTAssertTrue(lines.contains("  gpiochip0    8 lines             in use"), "\(lines)")
    XCTAssertTrue(lines.contains("  iio:device0  bmi160, 6 channels  source iio:bmi160"), "\(lines)")
    XCTAssertTrue(lines.contains { $0.hasPrefix("  sluice record iio:bmi160 --duration 10s -o first.csv") }, "\(lines)")
  }

  func testManyDevicesAreNotAllShown() {
    let devices = (0..<20).map { ListedDevice(name: "gpiochip\($0)", what: "1 line", source: "gpio:gpiochip\($0):0") }
    XCTAssertTrue(Welcome(devices).text.contains("  and 12 more\n"))
  }

  /// The commands of the text work, and exist.
  func testItsCommands() throws {
    let said = try run("")
    XCTAssertTrue(said.contains("All commands: sluice --help"), said)
    for line in Welcome([]).text.split(separator: "\n") where line.hasPrefix("  sluice ") {
      let command = line.split(separator: "#")[0].replacing("--duration 5s", with: "--count 20")
      try run(command.dropFirst("  sluice ".count).split(separator: " ").joined(separator: " "))
    }
  }
}
