/// The intervals between the readings of one stream, counted in ranges, so that any number of intervals needs only a
/// few kilobytes.
///
/// The width of a range is at most 1/64 of its intervals, or 1/8 if there are many streams. Sums within a range are exact,
/// so the mean is exact too.
package struct Intervals: Sendable {
  /// Intervals from `lower` on, and the sum of their excess over it.
  private struct Bucket: Sendable {
    var count = 0
    var excess = 0.0
    var squares = 0.0

    mutating func add(_ excess: Double) {
      count += 1
      self.excess += excess
      squares += excess * excess
    }
  }

  /// An interval that is longer than most.
  package struct Long: Hashable {
    package var length: UInt64
    /// The number of the reading before it, from 1, and that reading's time.
    package var reading: Int
    package var time: Int64
  }

  /// The number of longest intervals that are kept.
  static let kept = 16
  private let bits: Int
  private var width: Int { 1 << bits }

  /// One page per power of two, made with its first interval.
  private var pages: [[Bucket]] = []
  package private(set) var count = 0
  package private(set) var shortest = UInt64.max
  /// The longest intervals, in no order.
  package private(set) var longest: [Long] = []
  private var threshold: UInt64 = 0

  /// - Parameter streams: The streams whose intervals are counted. Each needs up to 100 KB; if there are many, 15 KB.
  init(of streams: Int = 1) { bits = streams > 1_024 ? 3 : 6 }

  /// - Parameters:
  ///   - reading: The number of the reading before, from 1.
  ///   - time: Its time.
  mutating func add(_ length: UInt64, after reading: Int, at time: Int64) {
    count += 1
    shortest = min(shortest, length)
    let shift = max(0, 63 - (length | 1).leadingZeroBitCount - bits)
    let page = shift + (length >> UInt64(shift) >= width ? 1 : 0)
    while pages.count <= page { pages.append([]) }
    if pages[page].isEmpty { pages[page] = Array(repeating: Bucket(), count: width) }
    let index = Int(truncatingIfNeeded: length >> UInt64(shift)) & (width - 1)
    pages[page][index].add(Double(length - lower(page, index)))
    if length > threshold { keep(Long(length: length, reading: reading, time: time)) }
  }

  private mutating func keep(_ long: Long) {
    longest.append(long)
    guard longest.count > Self.kept, let least = longest.indices.min(by: { longest[$0].length < longest[$1].length })
    else { return }
    longest.remove(at: least)
    threshold = longest.map(\.length).min() ?? 0
  }

  private func lower(_ page: Int, _ index: Int) -> UInt64 {
    page == 0 ? UInt64(index) : UInt64(width + index) << UInt64(page - 1)
  }

  // MARK: Results

  /// Intervals of one range.
  private struct Group {
    var count: Int
    var mean: Double
    /// The sum of the squares of their differences from the mean of the range.
    var spread: Double
  }

  private var groups: [Group] {
    var groups: [Group] = []
    for (page, buckets) in pages.enumerated() {
      for (index, bucket) in buckets.enumerated() where bucket.count > 0 {
        let count = Double(bucket.count)
        let excess = bucket.excess / count
        groups.append(
          Group(
            count: bucket.count, mean: Double(lower(page, index)) + excess,
            spread: max(0, bucket.squares - count * excess * excess)))
      }
    }
    return groups
  }

  /// The median of the intervals, with an error of up to the width of a range.
  package var median: Double? {
    var passed = 0
    for group in groups {
      passed += group.count
      if 2 * passed >= count { return group.mean }
    }
    return nil
  }

  /// The interval, jitter and gaps of a stream with a fixed rate; nil if there is no fixed rate.
  package struct Regular: Equatable {
    /// The mean of all intervals that are not gaps.
    package var interval: Double
    /// The standard deviation of these intervals.
    package var jitter: Double
    /// The longest interval that is not a gap.
    package var limit: Double
    package var gaps: Int
    /// The number of readings that would fill the gaps.
    package var missing: Int
  }

  /// A stream has a fixed rate if nine of ten intervals are within a quarter of the median. An interval longer than 1.5
  /// times the median is a gap.
  package var regular: Regular? {
    guard count >= 8, let median, median > 0 else { return nil }
    let groups = groups
    let near = groups.filter { abs($0.mean - median) <= median / 4 }.reduce(0) { $0 + $1.count }
    guard Double(near) >= 0.9 * Double(count) else { return nil }
    return regular(groups, limit: 1.5 * median, nominal: nil)
  }

  /// The same for a period that is given, however many intervals are near it. Nil finds the period.
  func regular(every nominal: Double?) -> Regular? {
    guard let nominal else { return regular }
    return regular(groups, limit: 1.5 * nominal, nominal: nominal)
  }

  private func regular(_ groups: [Group], limit: Double, nominal: Double?) -> Regular {
    let usual = groups.filter { $0.mean <= limit }
    let number = max(1, Double(usual.reduce(0) { $0 + $1.count }))
    let interval = usual.reduce(0) { $0 + $1.mean * Double($1.count) } / number
    let squares = usual.reduce(0.0) { sum, group in
      let distance = group.mean - interval
      return sum + group.spread + Double(group.count) * distance * distance
    }
    let (gaps, missing) = gaps(longerThan: limit, interval: nominal ?? interval)
    return Regular(
      interval: interval, jitter: (squares / number).squareRoot(), limit: limit, gaps: gaps, missing: missing)
  }

  /// The number of intervals longer than a limit, and the number of readings that would fill them at a regular
  /// interval.
  func gaps(longerThan limit: Double, interval: Double) -> (gaps: Int, readings: Int) {
    var (gaps, readings) = (0, 0)
    for group in groups where group.mean > limit {
      gaps += group.count
      let missing = Int(exactly: (group.mean / interval).rounded()) ?? .max
      let (product, overflow) = max(1, missing - 1).multipliedReportingOverflow(by: group.count)
      let (sum, carry) = readings.addingReportingOverflow(product)
      readings = overflow || carry ? .max : sum
    }
    return (gaps, readings)
  }
}
