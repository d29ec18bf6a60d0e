import SluiceSystem

/// When viewers get what they wait for: all at once, at beats, because a turn for each of them costs far more.
///
/// The time between two beats is so long that they take a small part of a core, however many viewers there are; but a
/// few viewers never wait long.
struct HTTPPace {
  /// Milliseconds.
  static let shortest: UInt64 = 90
  static let longest: UInt64 = 1_000
  /// While several viewers look, asks gather for this number of milliseconds at most.
  static let longestRest: UInt64 = 50
  /// The viewers' part of a core is one divided by this.
  static let part: UInt64 = 500

  /// The time of the beat that is scheduled; nil if none is.
  private var coming: UInt64?
  private var last: UInt64 = 0
  private var used = Self.processorTime
  /// The processor time of the last beat in nanoseconds, and of all that came between it and the one before.
  private var cost: UInt64 = 0

  /// Schedules a beat, unless one comes early enough.
  /// - Parameters:
  ///   - due: The time from which on there is something to do.
  ///   - viewers: The number of viewers that the beat is for.
  /// - Returns: The milliseconds until then; nil if nothing is to be changed.
  mutating func schedule(_ due: UInt64, viewers: Int) -> UInt64? {
    let time = max(due, last + Self.wait(after: cost, viewers: viewers))
    if let coming, coming <= time { return nil }
    coming = time
    let now = monotonicMilliseconds()
    return time > now ? time - now : 0
  }

  /// The milliseconds in which asks gather: what is asked for is not answered before the next beat.
  var rest: UInt64 {
    let now = monotonicMilliseconds()
    guard let coming else { return Self.longestRest / 4 }
    return coming > now ? min(coming - now, Self.longestRest) : 0
  }

  /// Notes that a beat begins. It is called on the thread that serves.
  mutating func begin() {
    (coming, last) = (nil, monotonicMilliseconds())
    let used = Self.processorTime
    (cost, self.used) = (used &- self.used, used)
  }

  /// Leaves out what was done since the begin of the beat: it would be done without viewers too.
  mutating func ignore() { used = Self.processorTime }

  /// The milliseconds between two beats.
  /// - Parameter cost: The processor time of one in nanoseconds.
  static func wait(after cost: UInt64, viewers: Int) -> UInt64 {
    let most = min(longest, 100 + 50 * UInt64(clamping: viewers))
    return min(max(min(cost, 1_000_000_000) * part / 1_000_000, shortest), most)
  }

  private static var processorTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
