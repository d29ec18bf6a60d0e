import SluiceSystem

/// Converts the kernel's monotonic time into time since the epoch, by one offset that is measured once.
///
/// So steps of the wall clock during a recording cannot change the order of its readings.
public struct EpochClock: Sendable {
  /// The nanoseconds to add to the monotonic clock.
  public let offset: Int64

  /// Measures the difference between the monotonic clock and the wall clock.
  public init() {
    self.init(offset: Self.difference({ Self.now(CLOCK_REALTIME) }, from: { Self.now(CLOCK_MONOTONIC) }))
  }

  package init(offset: Int64) { self.offset = offset }

  /// The difference of one clock from another: the middle of ``differences(_:from:)``.
  package static func difference(_ clock: () -> Int64, from reference: () -> Int64) -> Int64 {
    differences(clock, from: reference).middle
  }

  /// The differences of one clock from another that are possible. Two clocks cannot be read at once, so the one is read
  /// between two reads of the reference.
  package static func differences(_ clock: () -> Int64, from reference: () -> Int64) -> ClosedRange<Int64> {
    // Of a few tries, the best is the one with the least time between the two reads of the reference.
    var best: ClosedRange<Int64>?
    for _ in 0..<5 {
      let before = reference()
      let time = clock()
      let after = max(before, reference())
      let possible = time &- after...time &- before
      if possible.width < best?.width ?? .max { best = possible }
    }
    return best ?? 0...0
  }

  /// - Parameter nanoseconds: A time of CLOCK_MONOTONIC.
  @inlinable public func time(monotonic nanoseconds: UInt64) -> Int64 {
    Int64(truncatingIfNeeded: nanoseconds) &+ offset
  }

  /// Whether a time counts from 1970. A time of less than a year does not, so it is not a date.
  package static func isDate(_ time: Int64) -> Bool { time.magnitude >= 365 * 86_400 * 1_000_000_000 }

  /// The current time by this clock.
  public var now: Int64 { Self.now(CLOCK_MONOTONIC) &+ offset }

  private static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension ClosedRange<Int64> {
  fileprivate var width: Int64 { upperBound &- lowerBound }
  package var middle: Int64 { lowerBound &+ width / 2 }
}
