import SluiceReadings
import SluiceStages
import XCTest

final class JoinTests: XCTestCase {
  private let streams = [
    StreamDescription(name: "a", channels: [.init(name: "x", unit: "g"), .init(name: "t")]),
    StreamDescription(name: "b", channels: [.init(name: "t"), .init(name: "y")]),
  ]

  private func rows(_ rule: Join.Rule, _ readings: [(Int64, UInt16, [Int64])]) throws -> [String] {
    var join = try Join(rule, inputs: InputStreams(streams))
    var outputs: [Reading] = []
    for (time, stream, values) in readings {
      var row = Values()
      for value in values { row.append(ExactDecimal(significand: value)) }
      join.receive(Reading(time: time, stream: StreamID(stream), values: row), into: &outputs)
    }
    join.finish(into: &outputs)
    return outputs.map { reading in
      "\(reading.time): " + reading.values.map { $0.isMissing ? "-" : "\($0)" }.joined(separator: " ")
    }
  }

  func testARowForEachTime() throws {
    let readings: [(Int64, UInt16, [Int64])] = [
      (1, 0, [1, 2]), (1, 1, [3, 4]), (2, 0, [5, 6]), (3, 1, [7, 8]), (3, 1, [9, 10]), (2, 0, [0, 0]),
    ]
    XCTAssertEqual(try rows(.hold, readings), ["1: 1 2 3 4", "2: 5 6 3 4", "3: 5 6 9 10", "2: 0 0 9 10"])
    XCTAssertEqual(try rows(.exact, readings), ["1: 1 2 3 4", "2: 5 6 - -", "3: - - 9 10", "2: 0 0 - -"])
    XCTAssertEqual(try rows(.hold, [(1, 1, [3, 4])]), ["1: - - 3 4"], "nothing is known before the first reading")
  }

  /// Readings of one stream may come after later ones of the other.
  func testRowsThatWait() throws {
    let readings: [(Int64, UInt16, [Int64])] = [
      (1, 0, [1, 2]), (2, 0, [5, 6]), (3, 0, [7, 8]), (1, 1, [3, 4]), (3, 1, [9, 10]), (4, 1, [0, 0]),
    ]
    XCTAssertEqual(try rows(.wait, readings), ["1: 1 2 3 4", "2: 5 6 - -", "3: 7 8 9 10", "4: - - 0 0"])
  }

  /// A stream that never comes does not fill the memory: a million values wait at most.
  func testTheLimitOfWaiting() throws {
    var join = try Join(.wait, inputs: InputStreams(streams))
    var outputs: [Reading] = []
    for time in 0..<300_000 {
      join.receive(Reading(time: Int64(time), stream: StreamID(0), values: [1, 2]), into: &outputs)
    }
    XCTAssertEqual(outputs.count, 300_000 - (1 << 20) / 4)
    join.finish(into: &outputs)
    XCTAssertEqual(outputs.map(\.time), (0..<300_000).map { Int64($0) })
  }

  func testNamesAndUnits() throws {
    let joined = try Join(.hold, inputs: InputStreams(streams)).streams
    XCTAssertEqual(joined[0].channels.map(\.name), ["x", "a.t", "b.t", "y"])
    XCTAssertEqual(joined[0].channels[0].unit, "g")
    XCTAssertEqual(joined[1].channels, [])
  }

  func testLimits() {
    let wide = StreamDescription(name: "w", channels: (0..<64).map { .init(name: "\($0)") })
    XCTAssertThrowsError(try Join(.hold, inputs: InputStreams([wide, streams[0]]))) { error in
      XCTAssertTrue("\(error)".contains("they have 66 channels"), "\(error)")
    }
  }
}
