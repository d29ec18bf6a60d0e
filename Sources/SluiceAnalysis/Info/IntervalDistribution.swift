/// The intervals of one kind: between the readings of a stream, between the edges of a line, or the widths of its
/// pulses. In constant memory for any number of them.
package struct IntervalDistribution: Sendable {
  package enum Kind: String, Sendable {
    /// From one reading or edge to the next one of this kind: it may have a period.
    case period
    /// The length of a level.
    case width
  }

  /// The number of shortest and of longest intervals that are kept.
  static let kept = 10
  /// An interval that is longer than this many periods is a gap.
  package static let gap = 1.5

  package let name: String
  package let kind: Kind
  package private(set) var histogram = LogLinearHistogram()
  private var intervals = Intervals()
  /// The shortest intervals, in no order.
  private var shortest: [Intervals.Long] = []
  private var threshold = UInt64.max
  /// The intervals in which the recording says that something is missing. They are no intervals of the signal.
  package private(set) var flagged = 0
  package private(set) var longestFlagged: Intervals.Long?
  /// The number of intervals that are shorter than the limit, and the first of them.
  package private(set) var short = 0
  package private(set) var firstShort: Intervals.Long?
  private let limit: UInt64
  private let given: Double?

  /// - Parameters:
  ///   - period: The period that is wanted, in nanoseconds.
  ///   - limit: Intervals below it are short.
  init(_ name: String, _ kind: Kind, period: Double? = nil, shorterThan limit: UInt64? = nil) {
    (self.name, self.kind, given, self.limit) = (name, kind, kind == .period ? period : nil, limit ?? 0)
  }

  package var count: Int { histogram.count }
  /// Whether short intervals are counted.
  package var isLimited: Bool { limit > 0 }

  mutating func add(_ length: UInt64, after reading: Int, at time: Int64) {
    histogram.add(Double(length))
    intervals.add(length, after: reading, at: time)
    if length < limit {
      short += 1
      if firstShort == nil { firstShort = Intervals.Long(length: length, reading: reading, time: time) }
    }
    if length < threshold { keep(Intervals.Long(length: length, reading: reading, time: time)) }
  }

  mutating func addFlagged(_ length: UInt64, after reading: Int, at time: Int64) {
    flagged += 1
    if longestFlagged.map({ length > $0.length }) ?? true {
      longestFlagged = Intervals.Long(length: length, reading: reading, time: time)
    }
  }

  private mutating func keep(_ interval: Intervals.Long) {
    shortest.append(interval)
    guard shortest.count > Self.kept, let most = shortest.indices.max(by: { shortest[$0].length < shortest[$1].length })
    else { return }
    shortest.remove(at: most)
    threshold = shortest.map(\.length).max() ?? .max
  }

  // MARK: Results

  /// The period, and what is about it.
  package struct Period: Sendable {
    /// In nanoseconds.
    package var nominal: Double
    /// Whether it was given. Otherwise it is the mean of the intervals that are not gaps.
    package var isGiven: Bool
    /// The intervals that are not gaps.
    package var usual: [Double]
    /// The mean and the standard deviation of the intervals that are not gaps.
    package var mean: Double
    package var jitter: Double
    /// The intervals that are gaps, and the readings or edges that would fill them.
    package var gaps: Int
    package var missing: Int
    /// The percentiles of how far the intervals that are not gaps are from the period.
    package var deviations: [Double]
    /// The intervals that are within the tolerance of the period.
    package var tolerance: Double
    package var within: Int

    /// Longer intervals are gaps.
    package var limit: Double { IntervalDistribution.gap * nominal }
  }

  /// The percentiles that are shown.
  package static let percents = [0, 1, 50, 99, 99.9, 100]
  package static let names = ["min", "p1", "p50", "p99", "p99.9", "max"]

  /// Nil if there is no period: for widths, and if it is not given and the intervals are not regular.
  package func period(tolerance: Double?) -> Period? {
    guard kind == .period, count > 0, let regular = intervals.regular(every: given) else { return nil }
    let nominal = given ?? regular.interval
    let groups = histogram.groups
    let usual = groups.filter { $0.mean <= Self.gap * nominal }
    let tolerance = tolerance ?? nominal / 10
    return Period(
      nominal: nominal, isGiven: given != nil, usual: Self.percentiles(Self.percents, of: usual),
      mean: regular.interval, jitter: regular.jitter, gaps: regular.gaps, missing: regular.missing,
      deviations: Self.deviations(Self.percents, from: nominal, usual), tolerance: tolerance,
      within: groups.filter { abs($0.mean - nominal) <= tolerance }.reduce(0) { $0 + $1.count })
  }

  /// One percentile of how far the intervals that are not gaps are from the period.
  package func deviation(_ percent: Double, from nominal: Double) -> Double? {
    Self.deviations([percent], from: nominal, histogram.groups.filter { $0.mean <= Self.gap * nominal }).first
  }

  private static func percentiles(_ percents: [Double], of groups: [LogLinearHistogram.Group]) -> [Double] {
    groups.isEmpty ? [] : LogLinearHistogram.percentiles(percents, of: groups).map { $0 ?? 0 }
  }

  private static func deviations(
    _ percents: [Double], from nominal: Double, _ groups: [LogLinearHistogram.Group]
  ) -> [Double] {
    let distances = groups.map { LogLinearHistogram.Group(mean: abs($0.mean - nominal), count: $0.count) }
    return percentiles(percents, of: distances.sorted { $0.mean < $1.mean })
  }

  /// The intervals that are farthest from the period, or from the median if there is none; the worst first.
  package func worst(_ nominal: Double?) -> [Intervals.Long] {
    guard let centre = nominal ?? histogram.percentile(50) else { return [] }
    func distance(_ interval: Intervals.Long) -> Double { abs(Double(interval.length) - centre) }
    // The farthest are among the shortest and the longest, wherever the period is.
    let candidates = Set(shortest + intervals.longest).filter { distance($0) > 0 }
    return Array(
      candidates.sorted { a, b in
        distance(a) == distance(b) ? a.reading < b.reading : distance(a) > distance(b)
      }.prefix(Self.kept))
  }
}
