/// The time of a recording: the latest time of its elements.
///
/// Times are compared by their distance and never added, so that no time can cause a trap.
@usableFromInline
struct ElementClock<Time: Strideable> {
  /// The relation of an element's time to the times before it.
  @usableFromInline enum Course {
    case onward
    /// Earlier, by one interval at most.
    case late
    /// Earlier by more than one interval: the clock was set, or another trace begins.
    case anew
  }

  /// The length of all intervals; nil if no interval ends by time, and then nothing is late.
  @usableFromInline let interval: Time.Stride?
  @usableFromInline var now: Time?

  @inlinable init(interval: Time.Stride?) { self.interval = interval.map { Swift.max($0, .zero) } }

  /// - Parameter isMark: Whether the element only shows a time, like a clock, which may be behind the elements by any
  ///   amount.
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

  /// Whether the time from `start` to `end`, which is not earlier, is less than `interval`.
  @inlinable static func isLess(from start: Time, to end: Time, than interval: Time.Stride) -> Bool {
    // Integers trap if the distance does not fit. The casts cost nothing if the types are known.
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
