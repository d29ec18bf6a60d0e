/// The most readings of a batch: fewer after a batch that was too large for the server, and slowly more again. It is a value.
struct BatchSizes {
  private let limit: Int
  /// The most readings of the next batch.
  private(set) var most: Int
  /// The largest batches that were taken since it has changed.
  private var takenCount = 0
  /// The batches after which it grows.
  private var patience = BatchSizes.leastPatience
  private var hasGrown = false

  static let leastPatience = 32
  private static let mostPatience = 1 << 16

  init(most: Int) { (limit, self.most) = (max(1, most), max(1, most)) }

  /// A batch was too large.
  mutating func tooLarge(_ count: Int) {
    most = max(1, min(most, count / 2))
    takenCount = 0
    // Each attempt to grow that fails costs a request, so the next one comes later.
    if hasGrown { patience = min(2 * patience, Self.mostPatience) }
    hasGrown = false
  }

  /// A batch was taken.
  mutating func taken(_ count: Int) {
    guard most < limit, count >= most else { return }
    takenCount += 1
    guard takenCount >= patience else { return }
    (most, takenCount, hasGrown) = (min(limit, 2 * most), 0, true)
  }
}
