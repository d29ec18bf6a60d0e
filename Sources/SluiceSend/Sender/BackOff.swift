/// How long a sender waits before it tries again. It is a value.
///
/// The pauses double. Each is shortened at random, so that many boards do not come back in the same second.
struct BackOff {
  private let pauses: ClosedRange<Int64>
  private var next: Int64
  private var random: UInt64

  /// - Parameters:
  ///   - pauses: The first and the longest pause, in nanoseconds.
  ///   - seed: Where the random numbers begin.
  init(_ pauses: ClosedRange<Int64>, seed: UInt64) { (self.pauses, next, random) = (pauses, pauses.lowerBound, seed) }

  /// The next pause: from half of it to all of it.
  /// - Parameter atLeast: What the server asks for. A tenth at most is added to it.
  mutating func pause(atLeast: Int64?) -> Int64 {
    let whole = next
    next = min(2 * next, pauses.upperBound)
    let part = fraction()
    let own = whole / 2 + Int64(part * Double(whole / 2))
    guard let atLeast else { return own }
    return max(own, atLeast &+ Int64(part * Double(atLeast / 10)))
  }

  mutating func reset() { next = pauses.lowerBound }

  /// A random number below another one.
  mutating func random(below limit: UInt64) -> UInt64 {
    min(UInt64(fraction() * Double(limit)), max(1, limit) - 1)
  }

  /// SplitMix64.
  private mutating func fraction() -> Double {
    random &+= 0x9e37_79b9_7f4a_7c15
    var mixed = random
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(UInt64(1) << 53)
  }
}
