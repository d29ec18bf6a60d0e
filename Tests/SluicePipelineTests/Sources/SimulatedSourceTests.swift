import Sluice
import SluiceReadings
import XCTest

@testable import SluicePipeline

final class SimulatedSourceTests: XCTestCase {
  private func samples(_ what: String, _ count: Int = 5_000) throws -> [SimulatedSensor.Sample] {
    var sensor = try XCTUnwrap(SimulatedSource(what)).sensor
    return (0..<count).map { _ in sensor.next() }
  }

  func testTheSameForTheSameSeed() throws {
    for model in ["imu", "meter"] {
      XCTAssertEqual(try samples("\(model),seed=7"), try samples("\(model),seed=7"))
      XCTAssertNotEqual(try samples("\(model),seed=7"), try samples("\(model),seed=8"))
    }
    // On every machine, and in every release: a recording of an example stays what it is.
    let first = try samples("imu@50,seed=7", 3)
    XCTAssertEqual(first.map(\.time), [0, 20_000_000, 40_000_000])
    XCTAssertEqual(first[1].values.map(\.significand), [623, 499, 16_828, 104, 97, 73])
  }

  func testTimesGoOnAndRatesAreKept() throws {
    for (what, rate) in [("imu@200", 200.0), ("meter@1000", 1_000)] {
      let samples = try samples(what)
      for (earlier, later) in zip(samples, samples.dropFirst()) { XCTAssertLessThan(earlier.time, later.time) }
      let seconds = Double(try XCTUnwrap(samples.last).time) / 1e9
      XCTAssertEqual(Double(samples.count) / seconds / rate, 1, accuracy: 0.5, what)
    }
    let meter = try samples("meter").map { $0.values[0].significand }
    for (earlier, later) in zip(meter, meter.dropFirst()) { XCTAssertEqual(earlier + later, 1, "edges alternate") }
  }

  func testGapsAreFlaggedAndCounted() throws {
    let sensor = try XCTUnwrap(SimulatedSource("imu@1000,gaps=10")).sensor
    var simulation = Simulation(sensor, StreamID(3), from: 1_000)
    var (readings, left): ([Reading], Int) = ([], 0)
    for tick in Int64(1)...500 {
      let (more, missing) = simulation.readings(until: 1_000 + tick * 10_000_000)
      readings += more
      left += missing.left
      XCTAssertEqual(missing.overflown, 0)
    }
    XCTAssertEqual(readings.count + left, 5_001)
    XCTAssertEqual(Double(left), 500, accuracy: 100)
    for (earlier, later) in zip(readings, readings.dropFirst()) {
      XCTAssertEqual(later.flags.contains(.gapBefore), later.time - earlier.time > 1_000_000)
    }
    XCTAssertTrue(readings.allSatisfy { $0.stream == StreamID(3) })
  }

  func testWhatNobodyTakesIsLostInTheFIFO() throws {
    let sensor = try XCTUnwrap(SimulatedSource("imu@1000")).sensor
    var simulation = Simulation(sensor, StreamID(0), from: 0)
    let (readings, missing) = simulation.readings(until: 2_999_000_000)
    XCTAssertEqual(readings.count, Simulation.fifo)
    XCTAssertEqual(missing.overflown, 3_000 - Simulation.fifo)
    XCTAssertEqual(simulation.readings(until: 3_000_000_000).readings.map(\.flags), [.gapBefore])
  }

  func testHowItIsWritten() throws {
    XCTAssertNotNil(SimulatedSource("meter@0.5,gaps=100,seed=18446744073709551615"))
    for what in [
      "", "imu@", "imu@0", "imu@-1", "imu@nan", "imu@1e9", "gyro", "imu,seed=-1", "imu,seed", "imu,gaps=101", "imu,x=1",
      "imu,",
    ] {
      XCTAssertNil(SimulatedSource(what), what)
    }
    let spec = try SourceSpec("a=sim:imu@400,seed=3,gaps=2")
    XCTAssertEqual(spec.name, "a")
    XCTAssertEqual(spec.source as? SimulatedSource, SimulatedSource("imu@400,seed=3,gaps=2"))
    XCTAssertThrowsError(try SourceSpec("sim:imu,edges=both")) {
      XCTAssertTrue("\($0)".contains("sim has no setting edges; it has seed, gaps"), "\($0)")
    }
  }

  func testIsRecorded() throws {
    let source = try XCTUnwrap(SimulatedSource("imu@100,seed=7"))
    let opened = source.open(SourceSettings(), SourceContext()).map { Source($0) }
    let done = expectation(description: "done")
    var readings: [Reading] = []
    let cancellable = opened[0].publisher(StreamID(0), EpochClock()).prefix(20)
      .sink(receiveCompletion: { _ in done.fulfill() }, receiveValue: { readings.append($0) })
    wait(for: [done], timeout: 60)
    cancellable.cancel()
    XCTAssertEqual(readings.map(\.values), try samples("imu@100,seed=7", 20).map(\.values))
    XCTAssertEqual(opened[0].losses(), [])
  }
}
