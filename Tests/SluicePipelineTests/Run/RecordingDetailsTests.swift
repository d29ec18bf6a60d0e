import Sluice
import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline

final class RecordingDetailsTests: XCTestCase {
  func testTheLinesOfAChipShareALine() throws {
    let chip = StreamDescription.Device(path: "/dev/gpiochip0", bus: "3f200000.gpio", label: "pinctrl")
    let lines = (0..<6).map {
      StreamDescription(name: "line\($0)", channels: [StreamDescription.Channel(name: "level")], device: chip)
    }
    let imu = StreamDescription(
      name: "imu", channels: [.init(name: "accel_x", unit: "m/s^2"), .init(name: "count")],
      device: .init(path: "/dev/iio:device0", name: "bmi160"))
    let none: (StreamID, EpochClock) -> AnyPublisher<Reading, SluiceError> = { _, _ in Empty().eraseToAnyPublisher() }
    let details = RecordingDetails(
      input: .devices([Source(streams: lines, publisher: none), Source(streams: [imu], publisher: none)]),
      stages: [BufferStage(size: 1_000), EveryStage(2)],
      outputs: [.csv("-", layout: .long), .csv("t.csv", layout: .long, existing: .append)],
      sync: .every(.nanoseconds(1_000_000_000)))
    XCTAssertEqual(
      details.lines,
      [
        "line0, line1, line2 and 3 more: level; /dev/gpiochip0, pinctrl, 3f200000.gpio",
        "imu: accel_x (m/s^2), count; /dev/iio:device0, bmi160", "stages: buffer of 1,000 readings per stream, every",
        "standard output: csv, sync 1s", "t.csv: csv, appended, sync 1s",
      ])
  }
}
