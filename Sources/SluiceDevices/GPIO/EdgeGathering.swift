/// How long to let edges gather before they are read, so that a wake-up brings several.
///
/// A wake-up costs about the same however many edges it brings. Gathering lasts until a quarter of the kernel's FIFO is
/// full at the present rate, which may so rise fourfold in the meantime without a loss, and never longer than
/// ``longest``; after a silence it begins with ``shortest``, since what follows may be a burst.
struct EdgeGathering {
  /// In milliseconds.
  static var shortest: UInt64 { 1 }
  /// In milliseconds: what a steady stream is delayed by.
  static var longest: UInt64 { 10 }
  private static var silence: UInt64 { 100_000_000 }

  /// Edges that the kernel keeps for a descriptor.
  let capacity: Int
  private var newest: UInt64 = 0
  /// 0 where there is no time for it, or nothing to wait for.
  private(set) var milliseconds: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  /// Edges were read.
  /// - Parameters:
  ///   - count: Of the descriptor that had most.
  ///   - time: Of the newest, in nanoseconds.
  ///   - isAll: False where the read took what it could, and more may be there.
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
