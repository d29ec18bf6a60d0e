import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class ValueAxisTests: XCTestCase {
  private func labels(_ lower: Double, _ upper: Double, intervals: Int = 5) -> [String] {
    ValueAxis(lower...upper, intervals: intervals).ticks.map(\.label)
  }

  func testRoundNumbers() {
    XCTAssertEqual(labels(0, 10), ["0", "2", "4", "6", "8", "10"])
    XCTAssertEqual(labels(-0.3, 0.3), ["-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"])
    XCTAssertEqual(labels(9_980, 10_020), ["9980", "9990", "10000", "10010", "10020"])
    XCTAssertEqual(labels(0.11, 0.113), ["0.1100", "0.1105", "0.1110", "0.1115", "0.1120", "0.1125", "0.1130"])
  }

  func testLongNumbersHaveAPowerOfTen() {
    let axis = ValueAxis(0...25_000_000, intervals: 5)
    XCTAssertEqual(axis.power, 6)
    XCTAssertEqual(axis.ticks.map(\.label), ["0", "5", "10", "15", "20", "25"])
    XCTAssertEqual(ValueAxis(0...2e-6, intervals: 4).power, -6)
    XCTAssertEqual(ValueAxis(0...2e-6, intervals: 4).ticks.map(\.label), ["0.0", "0.5", "1.0", "1.5", "2.0"])
  }

  func testEqualValuesHaveRoom() {
    for value in [0.0, 5, -3e9, 1e300, -1e300, 1e-300] {
      let axis = ValueAxis(value...value, intervals: 5)
      XCTAssertLessThan(axis.lower, value)
      XCTAssertGreaterThan(axis.upper, value)
      XCTAssertEqual(axis.position(of: value), 0.5, accuracy: 1e-9)
      XCTAssertGreaterThan(axis.ticks.count, 1, "\(value)")
    }
  }

  func testAnyRangeHasFewDistinctTicks() {
    for _ in 0..<2_000 {
      let size = Double(sign: .plus, exponent: .random(in: -900...900), significand: .random(in: 1..<2))
      let lower = size * .random(in: -2...2)
      let intervals = Int.random(in: 2...12)
      let axis = ValueAxis(lower...lower + size * .random(in: 1e-6...1), intervals: intervals)
      XCTAssertLessThanOrEqual(axis.ticks.count, intervals * 3 / 2 + 2)
      XCTAssertGreaterThanOrEqual(axis.ticks.count, intervals / 2, "\(axis.lower) \(axis.upper)")
      XCTAssertEqual(Set(axis.ticks.map(\.label)).count, axis.ticks.count, "\(axis.ticks)")
      XCTAssertTrue(axis.ticks.allSatisfy { (-1e-9...1 + 1e-9).contains($0.position) })
    }
  }

  func testValuesThatAreNearlyEqual() {
    let axis = ValueAxis(1e17...1e17 + 32, intervals: 5)
    XCTAssertLessThan(axis.lower, axis.upper)
    XCTAssertLessThanOrEqual(axis.ticks.count, 16)
  }
}
