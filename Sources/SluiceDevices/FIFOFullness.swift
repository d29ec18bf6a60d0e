/// Finds out from what is read out of one FIFO of the kernel's when it was full.
///
/// It was full before a read if as many readings as it holds, counted from the first that this read took, are no younger
/// than the read: nothing can have been put in after them before this read made room. That holds for one read that takes
/// them all as well as for many that take few, because little is demanded; and it does not hold for a burst that fills
/// the FIFO again while it is being emptied, however many readings come in a row.
struct FIFOFullness {
  enum Finding { case first, again }

  private let capacity: Int
  /// For each of the last `capacity` readings: when its read began if it is the first reading of that read, otherwise
  /// 0. The index is the reading's number modulo `capacity`.
  private var moments: [UInt64]
  private var count = 0  // readings taken
  private var emptied = 0  // how many of them were taken when the FIFO was empty
  private var found = 0  // how many when it was found full and counted
  private var isFirst = true
  private var isTimed = true

  /// - Parameter capacity: Readings that the FIFO holds; 0 where nobody knows, and nothing is found out.
  init(capacity: Int) {
    self.capacity = capacity
    moments = Array(repeating: 0, count: capacity)
    found = -capacity
  }

  /// A read is about to begin.
  /// - Parameter moment: By the clock of the readings, in nanoseconds; nil where it cannot be asked, so that only what
  ///   this read takes by itself counts.
  mutating func begin(at moment: UInt64?) {
    guard capacity > 0 else { return }
    moments[count % capacity] = moment ?? .max
    (isFirst, isTimed) = (true, moment != nil)
  }

  /// The read took this, in the order of the FIFO.
  /// - Returns: Whether the FIFO was full with this as its newest, and whether for the first time with what it held.
  mutating func take(time: UInt64) -> Finding? {
    guard capacity > 0 else { return nil }
    if !isFirst { moments[count % capacity] = 0 }
    isFirst = false
    count += 1
    // As many ago as it holds: the same place once more.
    let oldest = count - capacity
    guard oldest >= emptied, moments[count % capacity] > 0, time <= moments[count % capacity] else { return nil }
    guard oldest >= found else { return .again }
    found = count
    return .first
  }

  /// The read is over.
  /// - Parameter isEmpty: Whether it took less than it could, so that nothing was left.
  mutating func end(isEmpty: Bool) {
    if isEmpty || !isTimed { emptied = count }
  }
}
