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

  func testTimesThatBeginAnew() throws {
    XCTAssertEqual(try settled([(0, 0), (100, 1), (5, 0), (40, 1)]), ["0: 0", "100: 1", "5: 0", "40: 1"])
  }
}
