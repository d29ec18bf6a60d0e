import XCTest

@testable import SluiceTool

final class PercentilesTests: XCTestCase {
  func testNearestRank() {
    let hundred = Percentiles((1...100).shuffled())
    XCTAssertEqual([hundred?.p50, hundred?.p99, hundred?.max], [50, 99, 100])
    let four = Percentiles([40, 10, 30, 20])
    XCTAssertEqual([four?.p50, four?.p99, four?.max], [20, 40, 40])
    let one = Percentiles([7])
    XCTAssertEqual([one?.p50, one?.p99, one?.max], [7, 7, 7])
    XCTAssertNil(Percentiles([]))
  }

  func testInMicroseconds() {
    XCTAssertEqual(Percentiles.microseconds([1_500, 2_000]).map(\.value), [1.5, 2, 2])
    XCTAssertEqual(Percentiles.microseconds([]).map(\.value), [nil, nil, nil])
    XCTAssertEqual(Percentiles.microseconds([]).map(\.key), ["p50_us", "p99_us", "max_us"])
  }
}
