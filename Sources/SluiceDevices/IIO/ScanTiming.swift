/// Estimates from the times of scans how many are missing between them.
///
/// Scans have no numbers, so only their times show a missing scan. After a distance of 1.5 periods or more, at least
/// one scan is missing. If a distance of less than half a period follows, the scan was late, and none is missing.
/// Distances in between may come from the clock of the device, so this is an estimate.
struct ScanTiming {
  /// The number of distances for learning the period. It is their median, so that gaps among them do no harm.
  static var lesson: Int { 16 }

  /// The period in nanoseconds; nil while it is being learned.
  private(set) var period: Double?
  /// The range of regular distances.
  private var usual: ClosedRange<Int64> = 0...0
  private var last: Int64?
  private var pending: (count: Int, time: Int64)?
  private var learning: [(distance: Int64, time: Int64)] = []

  /// - Parameter rate: Scans per second, at most one per nanosecond; nil or an impossible rate to learn it.
  init(rate: Double? = nil) {
    if let rate, rate > 0, rate <= 1e9 { setPeriod(1e9 / rate) }
  }

  /// - Parameters:
  ///   - time: The time of the next scan, in nanoseconds.
  ///   - lost: Called for a gap before this scan or an earlier one, with the time of the scan after the gap.
  /// - Returns: Whether scans seem to be missing before this scan.
  @inline(__always) mutating func add(_ time: Int64, lost: (_ count: Int, _ time: Int64) -> Void) -> Bool {
    defer { last = time }
    guard let last else { return false }
    let distance = time &- last
    // The usual case. It is inlined, because the call would take longer than the comparison.
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

  /// Makes the next scan the first one again, because nobody knows how many scans should have come before it.
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

  /// Learns the period. After that, it also checks the distances that were used for learning.
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
    // Rounded to a smaller range. Distances outside are checked more closely.
    guard let low = Int64(exactly: (period * 0.5).rounded(.up)),
      let high = Int64(exactly: (period * 1.5).rounded(.down)),
      low < high
    else { return }
    usual = low...(high - 1)
  }
}
