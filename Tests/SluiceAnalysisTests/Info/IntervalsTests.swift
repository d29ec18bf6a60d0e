import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class IntervalsTests: XCTestCase {
  private func intervals(_ lengths: [UInt64]) -> Intervals {
    var intervals = Intervals()
    var time: Int64 = 0
    for (index, length) in lengths.enumerated() {
      intervals.add(length, after: index + 1, at: time)
      time += Int64(length)
    }
    return intervals
  }

  func testAFixedRate() throws {
    let regular = try XCTUnwrap(intervals(Array(repeating: 10_080_645, count: 1_000)).regular)
    XCTAssertEqual(regular.interval, 10_080_645, "exact, whatever the width of a range")
    XCTAssertEqual(regular.jitter, 0)
    XCTAssertEqual(regular.gaps, 0)
    XCTAssertEqual(regular.missing, 0)
  }

  func testJitterIsTheStandardDeviation() throws {
    let lengths = (0..<1_000).map { UInt64(1_000_000 + ($0 % 2 == 0 ? 300 : -300)) }
    let regular = try XCTUnwrap(intervals(lengths).regular)
    XCTAssertEqual(regular.interval, 1_000_000, accuracy: 1e-6)
    XCTAssertEqual(regular.jitter, 300, accuracy: 1e-6)
  }

  func testGapsAndWhatWouldHaveFilledThem() throws {
    var lengths = [UInt64](repeating: 1_000, count: 200)
    (lengths[3], lengths[50], lengths[199]) = (3_000, 1_999, 10_400)
    let intervals = intervals(lengths)
    let regular = try XCTUnwrap(intervals.regular)
    XCTAssertEqual(regular.gaps, 3)
    XCTAssertEqual(regular.missing, 2 + 1 + 9)
    XCTAssertEqual(regular.interval, 1_000)
    let longest = intervals.longest.sorted { $0.reading < $1.reading }.filter { $0.length > 1_000 }
    XCTAssertEqual(longest.map(\.reading), [4, 51, 200])
    XCTAssertEqual(longest.map(\.time), [3_000, 52_000, 201_999])
  }

  func testNoFixedRateHasNoGaps() {
    XCTAssertNil(intervals((0..<500).map { UInt64(1_000 + 37 * $0 * $0 % 90_000) }).regular)
    XCTAssertNil(intervals([]).regular)
    XCTAssertNil(intervals(Array(repeating: 5, count: 7)).regular, "too few to say")
    XCTAssertNil(intervals(Array(repeating: 0, count: 100)).regular, "no time passes")
  }

  func testEveryLength() {
    everyLength(of: 1, error: 1 / 64)
    everyLength(of: 2_000, error: 1 / 8)
  }

  private func everyLength(of streams: Int, error: Double) {
    var intervals = Intervals(of: streams)
    var lengths: [UInt64] = [0, 1, 63, 64, 65, 127, 128, 129, .max, .max - 1, 1 << 63]
    lengths += (0..<63).flatMap { [1 << $0, (1 << $0) + 1, (2 << $0) - 1] as [UInt64] }
    for length in lengths { intervals.add(length, after: 1, at: 0) }
    XCTAssertEqual(intervals.count, lengths.count)
    XCTAssertEqual(intervals.shortest, 0)
    XCTAssertEqual(intervals.longest.count, Intervals.kept)
    XCTAssertEqual(intervals.longest.map(\.length).max(), .max)
    let sorted = lengths.sorted()
    let half = Double(sorted[(sorted.count + 1) / 2 - 1])
    XCTAssertEqual(intervals.median ?? 0, half, accuracy: half * error)
  }

  func testTheLongestAreKept() {
    let intervals = intervals((1...10_000).map { UInt64($0 * 7_919 % 10_007) })
    let expected = (1...10_000).map { UInt64($0 * 7_919 % 10_007) }.sorted().suffix(Intervals.kept)
    XCTAssertEqual(intervals.longest.map(\.length).sorted(), Array(expected))
  }
}
