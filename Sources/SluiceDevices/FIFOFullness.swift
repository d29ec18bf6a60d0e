/// Finds out when a FIFO of the kernel was full, from the readings taken out of it.
///
/// Take as many readings as the FIFO holds, starting with the first of a read. If none of them is younger than that
/// read, the FIFO was full before it: nothing can have been added after them before the read made space. This works for
/// one read that takes all of them, and for many small reads because of a small demand. A burst that fills the FIFO
/// again while it is being emptied does not count, however many readings come in a row.
struct FIFOFullness {
  enum Finding { case first, again }

  private let capacity: Int
  /// For each of the last `capacity` readings: when its read began if it is the first reading of that read, otherwise
  /// 0. The index is the reading's number modulo `capacity`.
  private var moments: [UInt64]
  private var count = 0  // the number of readings taken
  private var emptied = 0  // the value of `count` when the FIFO was last empty
  private var found = 0  // the value of `count` when it was last found full and counted
  private var isFirst = true
  private var isTimed = true

  /// - Parameter capacity: The readings that the FIFO holds; 0 if unknown, and then nothing is found.
  init(capacity: Int) {
    self.capacity = capacity
    moments = Array(repeating: 0, count: capacity)
    found = -capacity
  }

  /// Call it before each read.
  /// - Parameter moment: The time by the clock of the readings, in nanoseconds. Nil if that clock cannot be read; then
  ///   each read is examined alone.
  mutating func begin(at moment: UInt64?) {
    guard capacity > 0 else { return }
    moments[count % capacity] = moment ?? .max
    (isFirst, isTimed) = (true, moment != nil)
  }

  /// Call it for each reading of a read, in the order of the FIFO.
  /// - Returns: Nil unless the FIFO was full when this reading was its newest. `.first` if that content was not counted
  ///   yet.
  mutating func take(time: UInt64) -> Finding? {
    guard capacity > 0 else { return nil }
    if !isFirst { moments[count % capacity] = 0 }
    isFirst = false
    count += 1
    // The reading `capacity` before has the same place.
    let oldest = count - capacity
    guard oldest >= emptied, moments[count % capacity] > 0, time <= moments[count % capacity] else { return nil }
    guard oldest >= found else { return .again }
    found = count
    return .first
  }

  /// Call it after each read.
  /// - Parameter isEmpty: Whether the read took less than it could, so that the FIFO is empty.
  mutating func end(isEmpty: Bool) {
    if isEmpty || !isTimed { emptied = count }
  }
}
