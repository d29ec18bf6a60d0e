/// Numbers counted in ranges, for percentiles of any number of values in constant memory.
///
/// Each power of two is cut into `1 << bits` ranges of one width, so a range is at most ``error`` times as wide as its
/// numbers are large. Each range keeps its count and its sum. A percentile is the mean of the range in which it lies:
/// it differs from the exact one by less than ``error`` times the exact one. Minimum, maximum and count are exact.
///
/// At most 32 powers of two are kept with all ranges, in 2 MB. If the numbers have more, ranges are joined in pairs
/// until they fit.
package struct LogLinearHistogram: Sendable {
  private struct Range: Sendable {
    var count = 0
    /// The sum of what the magnitudes have above the lower end of the range.
    var excess = 0.0

    mutating func append(_ other: Range, above: Double) {
      count += other.count
      excess += other.excess + above * Double(other.count)
    }
  }

  /// Numbers of one range.
  struct Group {
    var mean: Double
    var count: Int
  }

  private static let mostBits: UInt64 = 12
  private static let mostRanges = 32 << 12
  private static let mantissa: UInt64 = 52

  private var bits = Self.mostBits
  /// The place of a page by the sign and the exponent of its numbers.
  private var places: [UInt64: Int] = [:]
  private var pages: [[Range]] = []
  /// The key of the page that was used last, because numbers that follow each other are mostly of one size.
  private var key = UInt64.max
  private var place = 0

  package private(set) var count = 0
  package private(set) var smallest = Double.infinity
  package private(set) var largest = -Double.infinity

  package init() {}

  /// How far a percentile may be from the exact one, as a part of it: 1/4096, or more if the numbers have more than 32
  /// powers of two.
  package var error: Double { 1 / Double(UInt64(1) << bits) }

  /// Adds a number. One that is not finite is not added.
  package mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    count += 1
    smallest = min(smallest, value)
    largest = max(largest, value)
    // The pattern of -0 is not that of 0.
    let pattern = value == 0 ? 0 : value.bitPattern
    if pattern >> Self.mantissa != key { turn(to: pattern >> Self.mantissa) }
    let index = Self.index(pattern, bits)
    let excess = value.magnitude - Self.lower(key, index, bits)
    pages[place][index].count += 1
    pages[place][index].excess += excess
  }

  private static func index(_ pattern: UInt64, _ bits: UInt64) -> Int {
    Int(truncatingIfNeeded: pattern >> (mantissa - bits)) & ((1 << Int(bits)) - 1)
  }

  /// The lower end of a range of magnitudes.
  private static func lower(_ key: UInt64, _ index: Int, _ bits: UInt64) -> Double {
    Double(bitPattern: (key & 0x7ff) << mantissa | UInt64(index) << (mantissa - bits))
  }

  @inline(never)
  private mutating func turn(to key: UInt64) {
    self.key = key
    if let known = places[key] { return place = known }
    while (pages.count + 1) << Int(bits) > Self.mostRanges { halve() }
    place = pages.count
    places[key] = place
    pages.append([Range](repeating: Range(), count: 1 << Int(bits)))
  }

  /// Joins each two ranges.
  private mutating func halve() {
    for (key, place) in places {
      let fine = pages[place]
      var coarse = [Range](repeating: Range(), count: fine.count / 2)
      for index in fine.indices where fine[index].count > 0 {
        let above = Self.lower(key, index, bits) - Self.lower(key, index / 2, bits - 1)
        coarse[index / 2].append(fine[index], above: above)
      }
      pages[place] = coarse
    }
    bits -= 1
  }

  // MARK: Results

  /// The numbers from the smallest to the largest, in groups whose mean is exact.
  var groups: [Group] {
    let keys = places.keys.sorted()
    // The bit of the sign is above the exponent. A greater magnitude is a lesser negative number.
    let (negative, positive) = (keys.filter { $0 & 0x800 != 0 }, keys.filter { $0 & 0x800 == 0 })
    return negative.flatMap { groups($0) }.reversed() + positive.flatMap { groups($0) }
  }

  private func groups(_ key: UInt64) -> [Group] {
    guard let place = places[key] else { return [] }
    let page = pages[place]
    return page.indices.compactMap { index in
      guard page[index].count > 0 else { return nil }
      let magnitude = Self.lower(key, index, bits) + page[index].excess / Double(page[index].count)
      return Group(mean: key & 0x800 == 0 ? magnitude : -magnitude, count: page[index].count)
    }
  }

  /// The smallest number that is not below `percent` percent of all numbers: 50 is the median, 99.9 what one number of
  /// a thousand exceeds. Nil without numbers.
  package func percentile(_ percent: Double) -> Double? { percentiles([percent]).first ?? nil }

  package func percentiles(_ percents: [Double]) -> [Double?] {
    Self.percentiles(percents, of: groups).map { $0.map { min(max($0, smallest), largest) } }
  }

  package var mean: Double? {
    count > 0 ? groups.reduce(0.0) { $0 + $1.mean * (Double($1.count) / Double(count)) } : nil
  }

  /// - Parameter groups: In the order of their means.
  static func percentiles(_ percents: [Double], of groups: [Group]) -> [Double?] {
    let count = groups.reduce(0) { $0 + $1.count }
    return percents.map { percent in
      let rank = rank(percent, of: count)
      var passed = 0
      for group in groups {
        passed += group.count
        if passed >= rank { return group.mean }
      }
      return nil
    }
  }

  /// The number of a percentile in the sorted numbers, from 1.
  static func rank(_ percent: Double, of count: Int) -> Int {
    let exact = percent / 100 * Double(count)
    // 99.9 percent of 1,000 is 999, and a little more as a binary number.
    let whole = exact.rounded()
    let rank = abs(exact - whole) <= whole * 1e-12 ? whole : exact.rounded(.up)
    return min(max(1, Int(exactly: rank) ?? count), max(1, count))
  }

  /// Numbers in steps of one width.
  package struct Steps: Sendable, Equatable {
    package var lower: Double
    package var width: Double
    package var counts: [Int]
    /// The numbers below and above all steps.
    package var below = 0
    package var above = 0

    package func start(of step: Int) -> Double { lower + Double(step) * width }
  }

  /// The numbers in at most `most` steps of a round width, which hold all but the outermost thousandths.
  /// - Parameter limit: Numbers above it are above all steps.
  package func steps(atMost most: Int, upTo limit: Double? = nil) -> Steps? {
    guard count > 0, most > 1 else { return nil }
    let groups = groups
    let shown = groups.filter { $0.mean <= limit ?? .infinity }
    guard let last = shown.last else { return steps(atMost: most) }
    let ends = Self.percentiles([0.1, 99.9], of: shown).map { $0 ?? 0 }
    let largest = limit == nil ? largest : last.mean
    // What is not far away is shown too.
    let room = (ends[1] - ends[0]) / 4
    let lower = smallest >= ends[0] - room ? smallest : ends[0]
    let upper = largest <= ends[1] + room ? largest : ends[1]
    // All numbers of a range count at the mean of the range. So a narrow step between two means would be empty. A step
    // as wide as two ranges has at least one mean.
    let finest = 2 * error * max(abs(lower), abs(upper))
    var width = RoundNumber.atLeast(max((upper - lower) / Double(most - 1), upper > lower ? finest : 0))
    if !(width > 0) || !width.isFinite { width = lower == 0 ? 1 : RoundNumber.atLeast(abs(lower) * 1e-3) }
    let first = (lower / width).rounded(.down)
    let number = Int(exactly: min(Double(most), (upper / width).rounded(.down) - first + 1)) ?? 1
    var steps = Steps(lower: first * width, width: width, counts: Array(repeating: 0, count: max(1, number)))
    for group in groups {
      let step = (group.mean / width).rounded(.down) - first
      if step < 0 {
        steps.below += group.count
      } else if step >= Double(steps.counts.count) {
        steps.above += group.count
      } else {
        steps.counts[Int(step)] += group.count
      }
    }
    // The smallest number may be in another step than the mean of its range. The same is true of the largest number.
    while steps.counts.count > 1, steps.counts.last == 0 { steps.counts.removeLast() }
    while steps.counts.count > 1, steps.counts.first == 0 {
      steps.counts.removeFirst()
      steps.lower += width
    }
    return steps
  }
}
