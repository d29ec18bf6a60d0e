import XCTest

@testable import SluiceAnalysis

final class LogLinearHistogramTests: XCTestCase {
  private static let percents = [0, 0.1, 1, 5, 25, 50, 75, 95, 99, 99.9, 99.99, 100]

  private func histogram(_ values: [Double]) -> LogLinearHistogram {
    var histogram = LogLinearHistogram()
    for value in values { histogram.add(value) }
    return histogram
  }

  /// Each percentile is within the stated error of that of the sorted numbers.
  private func check(_ values: [Double], _ message: String = "", line: UInt = #line) {
    let histogram = histogram(values)
    let sorted = values.sorted()
    XCTAssertEqual(histogram.count, values.count, line: line)
    XCTAssertEqual(histogram.smallest, sorted.first ?? .infinity, line: line)
    XCTAssertEqual(histogram.largest, sorted.last ?? -.infinity, line: line)
    for (percent, value) in zip(Self.percents, histogram.percentiles(Self.percents)) {
      let exact = sorted[LogLinearHistogram.rank(percent, of: sorted.count) - 1]
      XCTAssertEqual(
        value ?? .nan, exact, accuracy: abs(exact) * histogram.error, "p\(percent) \(message)", line: line)
    }
    XCTAssertEqual(histogram.groups.map(\.mean), histogram.groups.map(\.mean).sorted(), line: line)
    XCTAssertEqual(histogram.groups.reduce(0) { $0 + $1.count }, values.count, line: line)
    let sum = values.reduce(0, +) / Double(values.count)
    XCTAssertEqual(
      histogram.mean ?? .nan, sum, accuracy: values.map(\.magnitude).max().map { $0 * 1e-9 } ?? 0, line: line)
  }

  /// Random numbers of random shapes, against the sorted numbers.
  func testPercentilesAreThoseOfTheSortedNumbers() {
    var random = SeededNumbers(seed: 20)
    for round in 0..<120 {
      let count = Int.random(in: 1...3_000, using: &random)
      let shape = Int.random(in: 0..<6, using: &random)
      let centre = Double.random(in: -1e6...1e6, using: &random)
      var values: [Double] = []
      for _ in 0..<count {
        let uniform = Double.random(in: -1...1, using: &random)
        var value = centre
        switch shape {
        case 0: value += uniform
        case 1: value = uniform * 1e-9
        case 2: value = (uniform * 8).rounded()
        case 3: value = 1e6 + uniform * uniform * uniform * 5e5
        // Every size that a Double has.
        case 4: value = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
        default: break
        }
        let size = value.magnitude
        if value == 0 || size > 1e-290 && size < 1e300 { values.append(value) }
      }
      guard !values.isEmpty else { continue }
      check(values, "round \(round), shape \(shape), \(count) numbers")
    }
  }

  func testOneNumberIsExact() {
    for value in [0, -0.0, 1_000_000, -273.15, 9.3e18] {
      XCTAssertEqual(histogram([Double](repeating: value, count: 7)).percentile(50), value)
    }
    XCTAssertNil(histogram([]).percentile(50))
    XCTAssertEqual(histogram([.nan, .infinity]).count, 0)
  }

  /// 32 powers of two keep the best error. Numbers of every size need coarser ranges, and no more memory.
  func testTheErrorGrowsWithTheSizes() {
    XCTAssertEqual(histogram((0..<32).map { pow(2, Double($0)) }).error, 1.0 / 4_096)
    XCTAssertEqual(histogram((0..<33).map { pow(2, Double($0)) }).error, 1.0 / 2_048)
    let powers = (-1_000...1_000).map { pow(2, Double($0)) }
    let all = histogram(powers + powers.map { -$0 })
    XCTAssertEqual(all.error, 1.0 / 32)
    XCTAssertEqual(all.groups.count, 4_002)
  }

  func testTheRankOfAPercentile() {
    XCTAssertEqual(LogLinearHistogram.rank(99.9, of: 1_000), 999)
    XCTAssertEqual(LogLinearHistogram.rank(50, of: 2), 1)
    XCTAssertEqual(LogLinearHistogram.rank(50, of: 3), 2)
    XCTAssertEqual(LogLinearHistogram.rank(0, of: 10), 1)
    XCTAssertEqual(LogLinearHistogram.rank(100, of: 10), 10)
  }

  func testSteps() throws {
    let steps = try XCTUnwrap(histogram((0..<1_000).map { Double($0) / 100 }).steps(atMost: 11))
    XCTAssertEqual(steps.width, 1)
    XCTAssertEqual(steps.lower, 0)
    XCTAssertEqual(steps.counts, Array(repeating: 100, count: 10))
    XCTAssertEqual([steps.below, steps.above], [0, 0])
    let far = try XCTUnwrap(histogram((0..<10_000).map { Double($0 % 100) } + [1e9, -1e9]).steps(atMost: 16))
    XCTAssertEqual([far.below, far.above], [1, 1])
    XCTAssertEqual(far.counts.reduce(0, +), 10_000)
    for value in [5.0, 0, -1e-7, 1e300] {
      let one = try XCTUnwrap(histogram([value]).steps(atMost: 16))
      XCTAssertEqual(one.counts.reduce(0, +) + one.below + one.above, 1, "\(value)")
    }
    XCTAssertNil(histogram([]).steps(atMost: 16))
  }

  /// Numbers that are everywhere between two ends leave no step empty, however far from zero they are.
  func testNoStepIsEmptyWhereNumbersAre() throws {
    var random = SeededNumbers(seed: 21)
    for round in 0..<200 {
      let lower = Double.random(in: -1...1, using: &random) * pow(10, Double.random(in: -3...7, using: &random))
      let length = pow(10, Double.random(in: -3...7, using: &random))
      let numbers = histogram((0..<2_000).map { lower + length * Double($0) / 2_000 })
      let steps = try XCTUnwrap(numbers.steps(atMost: [16, 64][round % 2]))
      XCTAssertEqual(steps.counts.reduce(0, +) + steps.below + steps.above, 2_000)
      XCTAssertFalse(steps.counts.contains(0), "round \(round), \(length) from \(lower): \(steps)")
    }
  }

  func testRoundNumbers() {
    let pairs = [(0.03, 0.05), (1, 1), (1.01, 2), (2, 2), (2.1, 5), (5.5, 10), (99, 100), (0.001, 0.001)]
    for (number, round) in pairs { XCTAssertEqual(RoundNumber.atLeast(number), round, "\(number)") }
    XCTAssertEqual(RoundNumber.atLeast(0), 0)
  }
}

/// SplitMix64.
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
