import SluiceReadings
import XCTest

@testable import SluiceStages

final class SettleTests: XCTestCase {
  private func settled(_ edges: [(Int64, Int64)], flags: [Int: Reading.Flags] = [0: .initialLevel]) throws -> [String] {
    let processor = try Settle(time: 10, inputs: InputStreams([LineBench.line]))
    return outputs(of: processor, LineBench.readings(edges, flags: flags)).map(\.text)
  }

  func testABounceIsLeftOut() throws {
    XCTAssertEqual(
      try settled([(0, 0), (100, 1), (102, 0), (103, 1), (150, 0), (151, 1), (200, 0)]),
      ["0: 0", "103: 1", "200: 0"])
  }

  func testALevelThatLastsExactlyThisLongPasses() throws {
    XCTAssertEqual(try settled([(0, 0), (100, 1), (110, 0), (119, 1)]), ["0: 0", "100: 1"])
  }

  func testASpikeIsLeftOutWithBothEdges() throws {
    XCTAssertEqual(try settled([(0, 1), (100, 0), (105, 1), (200, 0)]), ["0: 1", "200: 0"])
  }

  func testWhatNothingContradictsPassesAtTheEnd() throws {
    XCTAssertEqual(try settled([(0, 0), (100, 1)]), ["0: 0", "100: 1"])
  }

  /// Edges of one direction: the first of a burst.
  func testEdgesOfOneDirection() throws {
    XCTAssertEqual(try settled([(0, 1), (3, 1), (9, 1), (40, 1), (44, 1)], flags: [:]), ["0: 1", "40: 1"])
  }

  func testAGapIsPassedOn() throws {
    XCTAssertEqual(
      try settled([(0, 0), (100, 1), (103, 0), (105, 1), (300, 0)], flags: [0: .initialLevel, 2: .gapBefore]),
      ["0: 0", "105: 1 gap", "300: 0"])
  }

  func testTheClockLetsALevelPass() throws {
    var processor = try Settle(time: 10, inputs: InputStreams([LineBench.line]))
    var made: [Reading] = []
    processor.receive(Reading(time: 100, stream: StreamID(0), values: [1]), into: &made)
    XCTAssertEqual(made, [])
    let mark = Reading(time: 110, stream: .none, values: [])
    processor.receive(mark, into: &made)
    XCTAssertEqual(made.first?.text, "100: 1")
    XCTAssertEqual(made.dropFirst(), [mark])
  }

  func testTheyPassInTheOrderOfTheirTimes() throws {
    var other = LineBench.line
    other.name = "OTHER"
    let processor = try Settle(time: 10, inputs: InputStreams([LineBench.line, other]))
    let readings = [(5, 1), (3, 0)].map { Reading(time: $0.0, stream: StreamID($0.1), values: [1]) }
    let last = Reading(time: 90, stream: StreamID(0), values: [0])
    XCTAssertEqual(outputs(of: processor, readings + [last]).map(\.time), [3, 5, 90])
  }

  /// Readings of other streams wait for a level that has to last.
  func testTheOrderOfTimesStays() throws {
    let imu = StreamDescription(name: "imu", channels: [.init(name: "x"), .init(name: "y")])
    let inputs = InputStreams([LineBench.line, imu])
    func sample(_ time: Int64) -> Reading { Reading(time: time, stream: StreamID(1), values: [1, 2]) }
    func edge(_ time: Int64, _ level: Int64) -> Reading { Reading(time: time, stream: StreamID(0), values: [level]) }
    let readings = [
      sample(1), edge(5, 1), sample(6), sample(14), sample(15), edge(20, 0), sample(22), edge(24, 1), sample(25),
      edge(30, 0), sample(50),
    ]
    let made = outputs(of: try Settle(time: 10, inputs: inputs), readings)
    XCTAssertEqual(made.map(\.time), [1, 5, 6, 14, 15, 22, 25, 30, 50])
    var processor = try Settle(time: 10, inputs: inputs)
    var before: [Reading] = []
    for reading in readings.prefix(4) { processor.receive(reading, into: &before) }
    XCTAssertEqual(before.map(\.time), [1], "a level has to last")
  }

  func testAMarkIsNotLaterThanALevelThatHasToLast() throws {
    var processor = try Settle(time: 10, inputs: InputStreams([LineBench.line]))
    var made: [Reading] = []
    processor.receive(Reading(time: 100, stream: StreamID(0), values: [1]), into: &made)
    processor.receive(Reading(time: 105, stream: .none, values: []), into: &made)
    processor.receive(Reading(time: 110, stream: .none, values: []), into: &made)
    XCTAssertEqual(made.map(\.time), [100, 100, 110])
    XCTAssertEqual(made.map(\.stream), [.none, StreamID(0), .none])
  }

  /// A level that has to last for hours does not hold all readings.
  func testOnlySoManyReadingsWait() throws {
    let imu = StreamDescription(name: "imu", channels: [.init(name: "x"), .init(name: "y")])
    var processor = try Settle(time: .max, inputs: InputStreams([LineBench.line, imu]))
    var made: [Reading] = []
    processor.receive(Reading(time: 0, stream: StreamID(0), values: [1]), into: &made)
    for time in 1...Settle.mostHeld {
      processor.receive(Reading(time: Int64(time), stream: StreamID(1), values: [1, 2]), into: &made)
    }
    XCTAssertEqual(made.count, 0)
    processor.receive(Reading(time: 100_000, stream: StreamID(1), values: [1, 2]), into: &made)
    XCTAssertEqual(made.count, Settle.mostHeld + 1)
    processor.finish(into: &made)
    XCTAssertEqual(made.last?.stream, StreamID(0))
  }

  /// An edge that replaces one that waits, since the level before is not known.
  func testAnEdgeInsteadOfAnother() throws {
    XCTAssertEqual(
      try settled([(0, 1), (3, 0), (20, 1)], flags: [:]), ["3: 0", "20: 1"])
    XCTAssertEqual(
      try settled([(0, 1), (20, 0), (24, 1), (60, 0)], flags: [2: .gapBefore]), ["0: 1", "24: 1 gap", "60: 0"])
  }

  func testTimesThatBeginAnew() throws {
    XCTAssertEqual(try settled([(0, 0), (100, 1), (5, 0), (40, 1)]), ["0: 0", "100: 1", "5: 0", "40: 1"])
  }
}
