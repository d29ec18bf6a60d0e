import SluiceReadings
import SluiceSystem

/// Brings times of the wall clock, as sockets and PPS have them, to the clock of a recording.
///
/// The wall clock jumps when it is set. So both clocks are looked at with each read. If the wall clock was set since the
/// read before, nobody knows on which side of the jump a time was taken, and its reading is flagged.
///
/// Between two jumps the offset of the wall clock from the monotonic clock is one number, because NTP slews both clocks
/// alike (`wall_to_monotonic` in kernel/time/timekeeping.c changes only when the clock is set, at a leap second, and after
/// a sleep). No single look can measure it exactly, so each look gives a range, and the offset lies in all of them. The
/// offset in use changes only if it is outside that range. If each look gave a new offset, a preemption between the two
/// clocks could put the times of two reads out of order.
struct WallTimes {
  /// Both clocks at one moment.
  struct Look {
    /// CLOCK_MONOTONIC in nanoseconds.
    var monotonic: Int64
    /// The possible differences of CLOCK_REALTIME from it.
    var offsets: ClosedRange<Int64>
  }

  private let clock: EpochClock
  /// The last look; its range is the one that all looks since the last jump have in common.
  private var last: Look
  /// The offset in use, from that range.
  private var offset: Int64
  /// The look before it and its offset, if the wall clock was set in between.
  private var earlier: (monotonic: Int64, offset: Int64)?

  init(_ clock: EpochClock, now: Look = .now) {
    (self.clock, last, offset) = (clock, now, now.offsets.middle)
  }

  /// Narrows the range of the offset, or finds that the wall clock was set. Call it after each read, before ``time(_:)``.
  mutating func look(_ now: Look = .now) {
    var now = now
    let isSet = !now.offsets.overlaps(last.offsets)
    earlier = isSet ? (last.monotonic, offset) : nil
    if !isSet { now.offsets = now.offsets.clamped(to: last.offsets) }
    if !now.offsets.contains(offset) { offset = now.offsets.middle }
    last = now
  }

  /// The time by the clock of the recording, and whether it may be wrong by the jump of the wall clock.
  /// - Parameter wall: A time of CLOCK_REALTIME before the last ``look(_:)``, in nanoseconds.
  func time(_ wall: Int64) -> (time: Int64, isUncertain: Bool) {
    let monotonic = wall &- offset
    guard let earlier else { return (time(monotonic: monotonic), false) }
    // What is between the two reads by one of the offsets is taken by that one.
    let other = wall &- earlier.offset
    let span = earlier.monotonic...last.monotonic
    let best = span.contains(monotonic) || !span.contains(other) ? monotonic : other
    return (time(monotonic: min(max(best, span.lowerBound), span.upperBound)), true)
  }

  private func time(monotonic: Int64) -> Int64 { clock.time(monotonic: UInt64(bitPattern: monotonic)) }
}

extension WallTimes.Look {
  static var now: Self {
    let monotonic = Int64(bitPattern: kernelTime(CLOCK_MONOTONIC))
    let offsets = EpochClock.differences(
      { Int64(bitPattern: kernelTime(CLOCK_REALTIME)) }, from: { Int64(bitPattern: kernelTime(CLOCK_MONOTONIC)) })
    return Self(monotonic: monotonic, offsets: offsets)
  }
}
