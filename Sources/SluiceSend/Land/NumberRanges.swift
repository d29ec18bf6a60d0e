/// A set of sequence numbers. It is a value, and takes memory for its gaps only.
struct NumberRanges: Equatable, Sendable {
  /// In their order. Between two of them is a gap.
  private(set) var ranges: [Range<UInt64>] = []

  /// The places of the ranges that overlap or touch some numbers.
  private func near(_ numbers: Range<UInt64>) -> Range<Int> {
    // The first range that ends at or behind the beginning, and then the first that begins behind the end.
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < numbers.lowerBound { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < ranges.count, ranges[end].lowerBound <= numbers.upperBound { end += 1 }
    return low..<end
  }

  /// The numbers that are not there.
  func missing(_ numbers: Range<UInt64>) -> [Range<UInt64>] {
    var (missing, next): ([Range<UInt64>], UInt64) = ([], numbers.lowerBound)
    for range in ranges[near(numbers)] {
      if range.lowerBound > next { missing.append(next..<range.lowerBound) }
      next = max(next, range.upperBound)
    }
    if next < numbers.upperBound { missing.append(next..<numbers.upperBound) }
    return missing
  }

  /// The numbers that are there.
  func present(_ numbers: Range<UInt64>) -> [Range<UInt64>] {
    ranges[near(numbers)].map { $0.clamped(to: numbers) }.filter { !$0.isEmpty }
  }

  /// Whether it has another range with these numbers.
  func grows(with numbers: Range<UInt64>) -> Bool { !numbers.isEmpty && near(numbers).isEmpty }

  mutating func insert(_ numbers: Range<UInt64>) {
    guard !numbers.isEmpty else { return }
    let places = near(numbers)
    let lower = min(numbers.lowerBound, ranges[places].first?.lowerBound ?? numbers.lowerBound)
    let upper = max(numbers.upperBound, ranges[places].last?.upperBound ?? numbers.upperBound)
    ranges.replaceSubrange(places, with: CollectionOfOne(lower..<upper))
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
