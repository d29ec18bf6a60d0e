#if SLUICE_MQTT
  import TestDisk
  import XCTest

  @testable import SluiceSend

  final class LandedEpochTests: XCTestCase {
    private func epoch(_ messages: [(run: String, numbers: Range<UInt64>)]) -> (LandedEpoch, shared: Int) {
      var (epoch, shared) = (LandedEpoch(), 0)
      for (message, part) in messages.enumerated() {
        shared += epoch.insert(part.numbers, of: part.run, message: message)
      }
      return (epoch, shared)
    }

    func testRunsFollowEachOther() {
      let (numbers, shared) = epoch([("a", 0..<10), ("a", 5..<12), ("b", 12..<20), ("a", 0..<12)])
      XCTAssertEqual([numbers.gaps, numbers.missing(0..<12, of: "a")], [[], []])
      XCTAssertEqual(shared, 0)
    }

    /// What the copy of a spool numbers alike is no second copy of a message, and closes no gap.
    func testTwoRunsWithTheSameNumbers() {
      var (numbers, shared) = epoch([("a", 0..<10), ("b", 0..<4), ("b", 6..<12), ("a", 15..<20)])
      XCTAssertEqual(shared, 8)
      XCTAssertEqual(numbers.missing(0..<20, of: "b"), [4..<6, 12..<20])
      XCTAssertEqual(numbers.gaps, [4..<6, 10..<15])
      XCTAssertEqual(numbers.insert(10..<15, of: "a", message: 9), 2)
      XCTAssertEqual(numbers.gaps, [4..<6])
      XCTAssertEqual(numbers.insert(4..<6, of: "", message: 10), 2, "whose run is not known")
      XCTAssertEqual(numbers.gaps, [])
    }

    /// 1,000 runs that have all gaps: what a hostile board may send. Once per second they are looked at.
    func testManyRunsWithGaps() {
      let (numbers, _) = epoch((0..<20_000).map { ("\($0 % 1_000)", UInt64($0) * 3..<UInt64($0) * 3 + 2) })
      XCTAssertEqual([numbers.gaps.count, numbers.gaps.reduce(0) { $0 + $1.count }], [1, 59_995])
      XCTAssertEqual(numbers.numbers.map(\.run).prefix(3), ["0", "1", "2"], "in the order of their last messages")
    }

    func testTheEnd() {
      var (numbers, _) = epoch([("a", 0..<10)])
      numbers.end = 12
      XCTAssertEqual(numbers.gaps, [10..<12])
    }

    func testForgottenRunsLeaveNoGap() {
      var (numbers, _) = epoch((0..<50).map { ("\($0)", $0 * 10..<$0 * 10 + 10) })
      numbers.forgetRuns(but: 5)
      XCTAssertEqual([numbers.runCount, numbers.rangeCount], [6, 7])
      XCTAssertEqual(numbers.gaps, [])
      XCTAssertEqual(numbers.missing(480..<490, of: "48"), [], "the latest are known")
      XCTAssertEqual(numbers.insert(0..<10, of: "0", message: 99), 0, "nobody knows whose these were")
      XCTAssertEqual(numbers.insert(485..<495, of: "0", message: 100), 10)
      numbers.forgetRuns(but: 2)
      XCTAssertEqual(numbers.gaps, [])
    }

    /// Against sets.
    func testAnyOrder() {
      for seed in 0..<200 as Range<UInt64> {
        var generator = SeededGenerator(seed)
        var (numbers, sets) = (LandedEpoch(), [String: Set<UInt64>]())
        for message in 0..<60 {
          let begin = UInt64.random(in: 0..<100, using: &generator)
          let part = begin..<begin + UInt64.random(in: 0..<12, using: &generator)
          let run = ["a", "b", "c"].randomElement(using: &generator)!
          let known = sets[run] ?? []
          XCTAssertEqual(numbers.missing(part, of: run).flatMap(Array.init), part.filter { !known.contains($0) })
          let others = Set(sets.values.joined())
          XCTAssertEqual(
            numbers.insert(part, of: run, message: message), part.count { !known.contains($0) && others.contains($0) })
          sets[run, default: []].formUnion(part)
        }
        let all = Set(sets.values.joined())
        var gaps = Set((0...(all.max() ?? 0)).filter { !all.contains($0) && $0 < all.max() ?? 0 })
        for set in sets.values {
          guard let first = set.min(), let last = set.max() else { continue }
          gaps.formUnion((first...last).filter { !set.contains($0) })
        }
        XCTAssertEqual(numbers.gaps.flatMap(Array.init), gaps.sorted())
        XCTAssertEqual(
          numbers.rangeCount, numbers.numbers.reduce(0) { $0 + $1.numbers.ranges.count } + Self.ranges(all))
      }
    }

    private static func ranges(_ set: Set<UInt64>) -> Int { set.count { !set.contains($0 &- 1) } }
  }
#endif
