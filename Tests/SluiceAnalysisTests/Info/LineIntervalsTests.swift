import SluiceReadings
import XCTest

@testable import SluiceAnalysis

final class LineIntervalsTests: XCTestCase {
  private func line(
    isEachAnEdge: Bool = true, _ readings: [(time: Int64, level: Int64?, isAfterGap: Bool)]
  ) -> [String: [Double]] {
    var line = LineIntervals("l", isEachAnEdge: isEachAnEdge, DistributionOptions())
    for (index, reading) in readings.enumerated() {
      let value = reading.level.map { ExactDecimal(significand: $0) } ?? .missing
      line.add(value, reading: index + 1, time: reading.time, isAfterGap: reading.isAfterGap)
    }
    return Dictionary(
      uniqueKeysWithValues: line.distributions.map {
        ($0.name, [Double($0.count), $0.histogram.smallest, $0.histogram.largest])
      })
  }

  func testEachLevelHasItsWidths() {
    let result = line([(0, 1, false), (3, 0, false), (10, 1, false), (14, 0, false), (20, 1, false)])
    XCTAssertEqual(result["l high"], [2, 3, 4])
    XCTAssertEqual(result["l low"], [2, 6, 7])
    XCTAssertEqual(result["l rising"], [2, 10, 10])
    XCTAssertNil(result["l falling"])
  }

  func testEdgesOfOneKind() {
    XCTAssertEqual(line([(0, 0, false), (5, 0, false), (11, 0, false)]), ["l falling": [2, 5, 6]])
    XCTAssertEqual(line([(0, 1, false), (5, 1, false)]), ["l rising": [1, 5, 5]])
  }

  /// Nobody knows which edges a gap has hidden.
  func testNothingIsMeasuredOverAGap() {
    let result = line([
      (0, 1, false), (3, 0, false), (100, 1, true), (104, 0, false), (105, nil, false), (109, 1, false),
    ])
    XCTAssertEqual(result, ["l high": [2, 3, 4]])
  }

  /// A column of another program has a value in each row: only changes are edges, and the first value is none.
  func testChangesOfAColumn() {
    let rows: [(Int64, Int64?, Bool)] = [
      (0, 0, false), (1, 0, false), (2, 1, false), (3, 1, false), (4, 0, false), (5, 0, false), (6, 0, false),
      (7, 1, false),
    ]
    let result = line(isEachAnEdge: false, rows)
    XCTAssertEqual(result["l high"], [1, 2, 2])
    XCTAssertEqual(result["l low"], [1, 3, 3])
    XCTAssertEqual(result["l rising"], [1, 5, 5])
  }

  func testAnotherValueIsNoLevel() {
    XCTAssertEqual(line(isEachAnEdge: false, [(0, 0, false), (1, 1, false), (2, 0, false), (3, 2, false)]), [:])
    XCTAssertEqual(line(isEachAnEdge: false, [(0, 0, false), (1, 0, false)]), [:])
  }

  func testATimeThatGoesBack() {
    XCTAssertEqual(line([(10, 1, false), (5, 0, false), (8, 1, false)]), ["l low": [1, 3, 3]])
  }
}
