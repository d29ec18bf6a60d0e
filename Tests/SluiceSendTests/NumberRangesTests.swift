import XCTest

@testable import SluiceSend

extension NumberRanges {
  /// Adds numbers.
  /// - Returns: Those that were not there.
  fileprivate mutating func added(_ numbers: Range<UInt64>) -> [Range<UInt64>] {
    let (missing, count, grows) = (missing(numbers), ranges.count, grows(with: numbers))
    insert(numbers)
    XCTAssertEqual(ranges.count > count, grows)
    return missing
  }
}

final class NumberRangesTests: XCTestCase {
  func testGaps() {
    var ranges = NumberRanges()
    XCTAssertEqual(ranges.gaps(), [])
    XCTAssertEqual(ranges.added(5..<8), [5..<8])
    XCTAssertEqual(ranges.gaps(), [0..<5])
    XCTAssertEqual(ranges.added(0..<2), [0..<2])
    XCTAssertEqual(ranges.added(1..<9), [2..<5, 8..<9])
    XCTAssertEqual(ranges.ranges, [0..<9])
    XCTAssertEqual(ranges.added(9..<10), [9..<10], "what follows is no gap")
    XCTAssertEqual(ranges.ranges, [0..<10])
    XCTAssertEqual(ranges.gaps(before: 12), [10..<12])
    XCTAssertEqual(ranges.gaps(before: 9), [])
    XCTAssertEqual(ranges.added(3..<3), [])
    let last = UInt64.max - 1..<UInt64.max
    XCTAssertEqual(ranges.added(last), [last])
  }

  /// Against a set.
  func testAnyOrder() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var (ranges, set) = (NumberRanges(), Set<UInt64>())
      for _ in 0..<60 {
        let begin = UInt64.random(in: 0..<100, using: &random)
        let numbers = begin..<begin + UInt64.random(in: 0..<12, using: &random)
        let new = ranges.added(numbers)
        XCTAssertEqual(new.flatMap(Array.init), numbers.filter { !set.contains($0) })
        set.formUnion(numbers)
        XCTAssertEqual(ranges.ranges.flatMap(Array.init), set.sorted())
        XCTAssertEqual(ranges.count, UInt64(set.count))
        let missing = set.isEmpty ? [] : (0..<set.max()!).filter { !set.contains($0) }
        XCTAssertEqual(ranges.gaps().flatMap(Array.init), missing)
        XCTAssertTrue(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      }
    }
  }
}
