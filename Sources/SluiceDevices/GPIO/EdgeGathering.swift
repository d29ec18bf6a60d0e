/// Computes how long edges gather before they are read, so that one wake-up brings several.
///
/// The cost of a wake-up hardly depends on the number of its edges. Gathering lasts until a quarter of the kernel's
/// FIFO is full at the current rate, so the rate may rise fourfold without a loss. It is never longer than ``longest``.
/// After a silence it begins with ``shortest``, because a burst may follow.
struct EdgeGathering {
  /// The shortest time in milliseconds.
  static var shortest: UInt64 { 1 }
  /// The longest time in milliseconds: the delay of a steady stream.
  static var longest: UInt64 { 10 }
  private static var silence: UInt64 { 100_000_000 }

  /// The edges that the kernel keeps per descriptor.
  let capacity: Int
  private var newest: UInt64 = 0
  /// The time to gather; 0 if there is no time, or if nothing is expected.
  private(set) var milliseconds: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  /// Call it after each read.
  /// - Parameters:
  ///   - count: How many edges were read from the descriptor that had the most.
  ///   - time: The time of the newest edge, in nanoseconds.
  ///   - isAll: False if the read took as many as it could, so that more may be waiting.
  mutating func read(_ count: Int, newest time: UInt64, isAll: Bool = true) {
    defer { newest = max(newest, time) }
    guard count > 0, isAll else {
      milliseconds = 0
      return
    }
    guard time > newest, time - newest < Self.silence else {
      milliseconds = Self.shortest
      return
    }
    let elapsed = time - newest
    let wanted = elapsed * UInt64(max(1, capacity / 4)) / UInt64(count) / 1_000_000
    milliseconds = min(wanted, max(milliseconds, Self.shortest) * 2, Self.longest)
  }
}
