/// A set of sequence numbers. It is a value, and takes memory for its gaps only.
struct NumberRanges: Equatable, Sendable {
  /// In their order. Between two of them is a gap.
  private(set) var ranges: [Range<UInt64>] = []

  /// Adds numbers.
  /// - Returns: Those that were not there.
  mutating func insert(_ numbers: Range<UInt64>) -> [Range<UInt64>] {
    guard !numbers.isEmpty else { return [] }
    // The first range that ends at or behind the beginning, and the first that begins behind the end.
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < numbers.lowerBound { low = middle + 1 } else { high = middle }
    }
    let first = low
    var end = first
    var new: [Range<UInt64>] = []
    var next = numbers.lowerBound
    while end < ranges.count, ranges[end].lowerBound <= numbers.upperBound {
      if ranges[end].lowerBound > next { new.append(next..<ranges[end].lowerBound) }
      next = max(next, ranges[end].upperBound)
      end += 1
    }
    if next < numbers.upperBound { new.append(next..<numbers.upperBound) }
    let joined = ranges[first..<end]
    let lower = min(numbers.lowerBound, joined.first?.lowerBound ?? numbers.lowerBound)
    let upper = max(numbers.upperBound, joined.last?.upperBound ?? numbers.upperBound)
    ranges.replaceSubrange(first..<end, with: [lower..<upper])
    return new
  }

  /// The numbers that are missing before the last one, and before a number that is known to be the end.
  func gaps(before end: UInt64 = 0) -> [Range<UInt64>] {
    var (gaps, next): ([Range<UInt64>], UInt64) = ([], 0)
    for range in ranges {
      if range.lowerBound > next { gaps.append(next..<range.lowerBound) }
      next = range.upperBound
    }
    if next < end { gaps.append(next..<end) }
    return gaps
  }

  var count: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }
}
