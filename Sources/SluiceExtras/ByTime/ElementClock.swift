/// The time of a recording: the latest time that its elements have shown.
///
/// Times are compared by their distance and never added up, so that no time traps, however large.
@usableFromInline
struct ElementClock<Time: Strideable> {
  /// How the time of an element compares with those before it.
  @usableFromInline enum Course {
    case onward
    /// Earlier, by one interval at most.
    case late
    /// Earlier by more: the clock was set, or another trace begins.
    case anew
  }

  /// The length of all intervals; nil if no interval ends by time, and then nothing is late.
  @usableFromInline let interval: Time.Stride?
  @usableFromInline var now: Time?

  @inlinable init(interval: Time.Stride?) { self.interval = interval.map { Swift.max($0, .zero) } }

  /// - Parameter isMark: Whether the element only shows a time, as a clock does, which may be behind the elements by
  ///   any amount.
  @inlinable mutating func advance(to time: Time, isMark: Bool) -> Course {
    if let now, time < now, isMark { return .late }
    if let now, time < now, let interval {
      if Self.isLess(from: time, to: now, than: interval) || time.advanced(by: interval) == now { return .late }
      self.now = time
      return .anew
    }
    now = time
    return .onward
  }

  /// Whether an interval that began at `start` has ended at a time that is not earlier.
  @inlinable func hasEnded(_ start: Time, at time: Time) -> Bool {
    guard let interval else { return false }
    return !Self.isLess(from: start, to: time, than: interval)
  }

  /// Whether less than `interval` lies between two times, the second of which is not earlier.
  @inlinable static func isLess(from start: Time, to end: Time, than interval: Time.Stride) -> Bool {
    // Integers trap where the distance does not fit. The casts cost nothing where the types are known.
    if let start = start as? Int64, let end = end as? Int64, let interval = interval as? Int {
      let (distance, overflows) = end.subtractingReportingOverflow(start)
      return !overflows && distance < interval
    }
    if let start = start as? Int, let end = end as? Int, let interval = interval as? Int {
      let (distance, overflows) = end.subtractingReportingOverflow(start)
      return !overflows && distance < interval
    }
    if let start = start as? UInt64, let end = end as? UInt64, let interval = interval as? Int {
      return end &- start < interval
    }
    return start.distance(to: end) < interval
  }
}
