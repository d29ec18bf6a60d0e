/// Tells from the times of scans how many are missing between them.
///
/// Scans carry no numbers: that one is missing shows only in its absence. A distance of 1.5 periods or more has at least
/// one missing; where less than half a period follows, one was late and not missing. Anything between may be the
/// device's own idea of its rate, so that this is an estimate.
struct ScanTiming {
  /// How many distances a period is learned from: their median, so that gaps among them do no harm.
  static var lesson: Int { 16 }

  /// In nanoseconds; nil while it is being learned.
  private(set) var period: Double?
  /// Distances that are as they should be.
  private var usual: ClosedRange<Int64> = 0...0
  private var last: Int64?
  private var pending: (count: Int, time: Int64)?
  private var learning: [(distance: Int64, time: Int64)] = []

  /// - Parameter rate: In Hz, at most one a nanosecond; nil, or what cannot be a rate, means to learn it.
  init(rate: Double? = nil) {
    if let rate, rate > 0, rate <= 1e9 { setPeriod(1e9 / rate) }
  }

  /// - Parameters:
  ///   - time: Of the next scan, in nanoseconds.
  ///   - lost: Is called for a gap before this scan or an earlier one, with the time of the scan after it.
  /// - Returns: Whether something seems to be missing before this scan.
  @inline(__always) mutating func add(_ time: Int64, lost: (_ count: Int, _ time: Int64) -> Void) -> Bool {
    defer { last = time }
    guard let last else { return false }
    let distance = time &- last
    // Nearly always: inlined, for the call would take longer.
    return pending == nil && usual.contains(distance) ? false : look(distance, time, lost: lost)
  }

  @inline(never) private mutating func look(
    _ distance: Int64, _ time: Int64, lost: (_ count: Int, _ time: Int64) -> Void
  ) -> Bool {
    guard let period else {
      learn(distance, time, lost: lost)
      return false
    }
    return check(distance, time, period, lost: lost)
  }

  /// The next scan is the first one again, because nobody knows how many should have come before it.
  mutating func interrupt(lost: (_ count: Int, _ time: Int64) -> Void) {
    if let pending { lost(pending.count, pending.time) }
    (pending, last) = (nil, nil)
  }

  private mutating func check(
    _ distance: Int64, _ time: Int64, _ period: Double, lost: (_ count: Int, _ time: Int64) -> Void
  ) -> Bool {
    let periods = Int(exactly: (Double(distance) / period).rounded()) ?? .max
    if let (count, time) = pending {
      let settled = periods < 1 ? count - 1 : count
      if settled > 0 { lost(settled, time) }
      pending = nil
    }
    guard periods > 1 else { return false }
    pending = (periods - 1, time)
    return true
  }

  /// Once the period is known, the distances that it was learned from are looked at as well.
  private mutating func learn(_ distance: Int64, _ time: Int64, lost: (_ count: Int, _ time: Int64) -> Void) {
    learning.append((distance, time))
    guard learning.count == Self.lesson else { return }
    let distances = learning.map(\.distance).sorted()
    let median = distances[distances.count / 2]
    if median > 0 {
      setPeriod(Double(median))
      for (distance, time) in learning { _ = check(distance, time, Double(median), lost: lost) }
    }
    learning = []
  }

  private mutating func setPeriod(_ period: Double) {
    self.period = period
    // Rounded to the inside; what is outside is looked at more closely.
    guard let low = Int64(exactly: (period * 0.5).rounded(.up)),
      let high = Int64(exactly: (period * 1.5).rounded(.down)),
      low < high
    else { return }
    usual = low...(high - 1)
  }
}
