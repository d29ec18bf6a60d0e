import SluiceReadings
import SluiceSystem

/// Brings times of the wall clock, as sockets and PPS have them, to the clock of a recording.
///
/// The wall clock jumps when it is set. So the offset from the monotonic clock is taken at each read. If the clock was
/// set since the read before, nobody knows on which side of the jump a time was taken, and its reading is flagged.
struct WallTimes {
  private let clock: EpochClock
  /// The monotonic time of the last read, and the offset of the wall clock then.
  private var last: Look
  /// Those of the read before it, if the wall clock was set in between.
  private var earlier: Look?

  private struct Look {
    /// CLOCK_MONOTONIC in nanoseconds.
    var monotonic: Int64
    /// What to add to it for CLOCK_REALTIME.
    var offset: Int64
  }

  init(_ clock: EpochClock, now: (monotonic: Int64, wall: Int64) = WallTimes.now) {
    self.clock = clock
    last = Look(monotonic: now.monotonic, offset: now.wall &- now.monotonic)
  }

  /// Both clocks. A call between the two reads of the vDSO takes less than a microsecond, but for a preemption.
  static var now: (monotonic: Int64, wall: Int64) {
    let monotonic = Int64(bitPattern: kernelTime(CLOCK_MONOTONIC))
    let difference = EpochClock().offset
    return (monotonic, monotonic &+ difference)
  }

  /// Takes the offset. Call it after each read, and before ``time(_:)`` for what was read.
  mutating func look(_ now: (monotonic: Int64, wall: Int64) = WallTimes.now) {
    let look = Look(monotonic: now.monotonic, offset: now.wall &- now.monotonic)
    // NTP slews the clock by at most 500 parts per million (adjtimex(2)); a preemption between two clocks is short.
    let slewed = max(2_000_000, (look.monotonic &- last.monotonic) / 1_000)
    earlier = abs(look.offset &- last.offset) > slewed ? last : nil
    last = look
  }

  /// The time by the clock of the recording, and whether it may be wrong by the jump of the wall clock.
  /// - Parameter wall: A time of CLOCK_REALTIME before the last ``look(_:)``, in nanoseconds.
  func time(_ wall: Int64) -> (time: Int64, isUncertain: Bool) {
    let monotonic = wall &- last.offset
    guard let earlier else { return (time(monotonic: monotonic), false) }
    // What is between the two reads by one of the offsets is taken by that one.
    let other = wall &- earlier.offset
    let span = earlier.monotonic...last.monotonic
    let best = span.contains(monotonic) || !span.contains(other) ? monotonic : other
    return (time(monotonic: min(max(best, span.lowerBound), span.upperBound)), true)
  }

  private func time(monotonic: Int64) -> Int64 { clock.time(monotonic: UInt64(bitPattern: monotonic)) }
}
