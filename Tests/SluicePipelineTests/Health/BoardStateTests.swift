import Foundation
import SluiceDevices
import TestFiles
import XCTest

@testable import SluicePipeline

final class BoardStateTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func put(_ path: String, _ text: String) throws {
    let file = URL(fileURLWithPath: "\(folder.path)/sys/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try (text + "\n").write(to: file, atomically: false, encoding: .utf8)
  }

  private var state: BoardState { BoardState(DeviceRoots(root: folder.path)) }

  func testABoardThatSaysNothing() {
    XCTAssertEqual(state, BoardState())
  }

  func testZonesAtTheirPassivePoints() throws {
    for (zone, type, temperature, passive) in [
      (0, "cpu-thermal", "80000", "80000"), (1, "gpu-thermal", "79999", "80000"), (2, "broken", "-1000", "-274000"),
    ] {
      try put("class/thermal/thermal_zone\(zone)/type", type)
      try put("class/thermal/thermal_zone\(zone)/temp", temperature)
      try put("class/thermal/thermal_zone\(zone)/trip_point_0_type", "critical")
      try put("class/thermal/thermal_zone\(zone)/trip_point_0_temp", "1000")
      try put("class/thermal/thermal_zone\(zone)/trip_point_1_type", "passive")
      try put("class/thermal/thermal_zone\(zone)/trip_point_1_temp", passive)
    }
    XCTAssertEqual(state.hot, ["cpu-thermal": 80_000])
  }

  func testTheFirmwareOfARaspberryPi() throws {
    let path = "devices/platform/soc/soc:firmware/get_throttled"
    for (text, isThrottled, isUndervoltage) in [
      ("0", false, false), ("50000", false, false), ("4", true, false), ("0x50005", true, true), ("1", false, true),
    ] {
      try put(path, text)
      XCTAssertEqual(state.isThrottled, isThrottled, text)
      XCTAssertEqual(state.isUndervoltage, isUndervoltage, text)
    }
    try put(path, "nonsense")
    XCTAssertNil(state.isThrottled)
    try put("class/hwmon/hwmon3/name", "rpi_volt")
    try put("class/hwmon/hwmon3/in0_lcrit_alarm", "1")
    XCTAssertEqual(state.isUndervoltage, true)
  }
}
