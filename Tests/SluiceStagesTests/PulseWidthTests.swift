import SluiceReadings
import XCTest

@testable import SluiceStages

final class PulseWidthTests: XCTestCase {
  private func widths(_ edges: [(Int64, Int64)], flags: [Int: Reading.Flags] = [:]) throws -> [String] {
    let processor = try LineProcessor(PulseWidth(), inputs: InputStreams([LineBench.line]))
    return outputs(of: processor, LineBench.readings(edges, flags: flags)).map(\.text)
  }

  func testEachEdgeEndsAPulse() throws {
    XCTAssertEqual(
      try widths([(0, 0), (1_000, 1), (4_000, 0), (6_000, 1), (7_500, 0)], flags: [0: .initialLevel]),
      [
        "1000: 0 - -", "4000: 1 0.000003000 -", "6000: 0 0.000002000 0.000005000", "7500: 1 0.000001500 0.000003500",
      ])
  }

  func testAWidthAcrossAGapIsNotKnown() throws {
    XCTAssertEqual(
      try widths([(0, 1), (10, 0), (30, 1), (40, 0), (70, 1)], flags: [2: .gapBefore]),
      ["0: 0 - -", "10: 1 0.000000010 -", "30: 0 - - gap", "40: 1 0.000000010 -", "70: 0 0.000000030 0.000000040"])
  }

  /// As in a recording that another one is appended to.
  func testALevelAtABeginningEndsNoPulse() throws {
    XCTAssertEqual(
      try widths([(0, 1), (10, 0), (20, 0), (30, 1), (40, 0)], flags: [2: .initialLevel]),
      ["0: 0 - -", "10: 1 0.000000010 -", "30: 0 - -", "40: 1 0.000000010 -"])
  }

  /// A recording of rising edges alone.
  func testEdgesOfOneDirectionHaveAPeriod() throws {
    XCTAssertEqual(try widths([(0, 1), (10, 1), (30, 1)]), ["0: 0 - -", "10: 0 - 0.000000010", "30: 0 - 0.000000020"])
  }

  func testTimesThatDoNotFit() throws {
    XCTAssertEqual(try widths([(.min, 1), (.max, 0)]), ["\(Int64.min): 0 - -", "\(Int64.max): 1 - -"])
  }
}
