import Sluice
import SluiceReadings
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class DeviceRunTests: XCTestCase {
  func testWhatFollowsFromWhatWasMeasured() {
    let run = DeviceRun(
      readings: 1_000, seconds: 2, cpuSeconds: 0.01,
      losses: [Loss(reason: "a", count: 2), Loss(reason: "b", count: 3)],
      fifo: DeviceRun.FIFOUse(capacity: 64, watermark: nil, highest: 16))
    XCTAssertEqual(run.rate, 500)
    XCTAssertEqual(run.lost, 5)
    let many = [Loss(reason: "a", count: .max), Loss(reason: "b", count: .max)]
    XCTAssertEqual(DeviceRun(readings: 1, seconds: 2, cpuSeconds: 0.01, losses: many, fifo: nil).lost, .max)
    XCTAssertEqual(run.cpuPerReading ?? 0, 10, accuracy: 1e-9)
    XCTAssertEqual(run.ceiling ?? 0, 100_000, accuracy: 1e-6)
    XCTAssertEqual(run.fifo?.headroom, 75)
    let nothing = DeviceRun(readings: 0, seconds: 2, cpuSeconds: 0.01, losses: [], fifo: nil)
    XCTAssertNil(nothing.cpuPerReading)
    XCTAssertNil(nothing.ceiling)
    XCTAssertNil(DeviceRun.FIFOUse(capacity: 0, watermark: nil, highest: 0).headroom)
  }

  func testCountsWhatASourceDeliversAndWhatItSaysIsMissing() throws {
    let readings = (0..<900).map { Reading(time: Int64($0), stream: StreamID(0), values: Values(7)) }
    let source = Source(
      streams: [StreamDescription(name: "s", channels: [StreamDescription.Channel(name: "x")])],
      publisher: { _, _ in readings.publisher.setFailureType(to: SluiceError.self).eraseToAnyPublisher() },
      losses: { [Loss(reason: "missing", count: 100)] })
    let interruption = Interruption()
    let run = try DeviceRun.record([source], for: TimeSpan(nanoseconds: 1), interruption)
    XCTAssertEqual(run.losses.first?.count, 100)
    XCTAssertEqual(run.lost, 100)
    interruption.raise()
    XCTAssertThrowsError(try DeviceRun.record([source], for: TimeSpan(nanoseconds: .max), interruption))
  }
}
