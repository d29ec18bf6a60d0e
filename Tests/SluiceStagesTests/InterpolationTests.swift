import SluiceReadings
import XCTest

@testable import SluiceStages

final class InterpolationTests: XCTestCase {
  private let imu = StreamDescription(name: "imu", channels: [.init(name: "x")])

  private func between(_ readings: [(Int64, Int64)], flags: [Int: Reading.Flags] = [:]) throws -> [String] {
    let processor = try Interpolation(interval: 10, inputs: InputStreams([imu]))
    return outputs(of: processor, LineBench.readings(readings, flags: flags)).map(\.text)
  }

  func testValuesOnTheLine() throws {
    XCTAssertEqual(try between([(5, 0), (15, 1), (45, 4)]), ["10: 0.500", "20: 1.500", "30: 2.500", "40: 3.500"])
  }

  func testAReadingAtItsTimeIsTakenAsItIs() throws {
    XCTAssertEqual(try between([(10, 3), (20, 5), (25, 6)]), ["10: 3", "20: 5"])
  }

  func testNoneAcrossAGap() throws {
    XCTAssertEqual(
      try between([(5, 0), (15, 1), (45, 4), (50, 4)], flags: [2: .gapBefore]), ["10: 0.500", "50: 4 gap"])
  }

  func testTheFirstValueAfterAGapHasItsFlag() throws {
    let readings: [(Int64, Int64)] = [(5, 0), (15, 1), (45, 4), (65, 6)]
    let processor = try Interpolation(interval: 10, inputs: InputStreams([imu]))
    let made = outputs(of: processor, LineBench.readings(readings, flags: [2: [.gapBefore, .restart, .late]]))
    XCTAssertEqual(made.map(\.time), [10, 50, 60])
    XCTAssertEqual(made.map(\.flags), [[], [.gapBefore, .restart], []])
  }

  func testNoneForAMissingValueAndTimesThatGoBack() throws {
    XCTAssertEqual(try between([(25, 0), (5, 1), (15, 2)]), ["10: 1.500"])
  }

  func testExtremes() throws {
    var processor = try Interpolation(interval: 1 << 62, inputs: InputStreams([imu]))
    var made: [Reading] = []
    processor.receive(Reading(time: .min + 1, stream: StreamID(0), values: [.min]), into: &made)
    XCTAssertEqual(made, [])
    processor.receive(Reading(time: .max, stream: StreamID(0), values: [.max]), into: &made)
    XCTAssertEqual(made.count, 3)
    XCTAssertFalse(processor.hasMore)
  }

  /// A line over months is made in parts.
  func testALongLine() throws {
    var processor = try Interpolation(interval: 1_000, inputs: InputStreams([imu]))
    var made: [Reading] = []
    processor.receive(Reading(time: 0, stream: StreamID(0), values: [0]), into: &made)
    processor.receive(Reading(time: 10_000_000_000_000_000, stream: StreamID(0), values: [1]), into: &made)
    XCTAssertTrue(processor.hasMore)
    XCTAssertLessThan(made.count, 1_000)
    let count = made.count
    processor.resume(into: &made)
    XCTAssertEqual(made[count].time, made[count - 1].time + 1_000)
  }
}
