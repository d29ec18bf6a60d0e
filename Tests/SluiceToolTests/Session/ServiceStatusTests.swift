import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class ServiceStatusTests: XCTestCase {
  private let standing = RecordingStanding(received: 12_345, fill: 3, seconds: 12.4)

  func testWhatIsAway() {
    var status = ServiceStatus()
    let full = SluiceError("write", "room.csv", errno: 28)
    XCTAssertEqual(status.text(standing, rate: 998), "12,345 readings, 998/s, buffer 3 %, lost 0, 12.4 s")
    XCTAssertTrue(status.happened(.outputAway(path: "room.csv", full, nanoseconds: 0, dropped: 0)))
    XCTAssertFalse(status.happened(.outputAway(path: "room.csv", full, nanoseconds: 60_000_000_000, dropped: 0)))
    XCTAssertTrue(status.happened(.sourceRemoved(name: "imu\nREADY=1", device: "iio:device0")))
    XCTAssertEqual(
      status.text(standing, rate: 998),
      "12,345 readings, 998/s, buffer 3 %, lost 0, 12.4 s; waiting for room.csv, imu?READY=1")
    XCTAssertTrue(status.happened(.outputBack(path: "room.csv", nanoseconds: 1, dropped: 0)))
    XCTAssertTrue(status.happened(.sourceBack(name: "imu\nREADY=1")))
    XCTAssertFalse(status.happened(.sourceBack(name: "another")))
    XCTAssertEqual(status.text(standing, rate: 998), "12,345 readings, 998/s, buffer 3 %, lost 0, 12.4 s")
    XCTAssertTrue(status.happened(.paused))
    XCTAssertFalse(status.happened(.marked("door")))
  }
}
