/// Finds out when the kernel's FIFO of scans was full, and which scan follows its content.
///
/// A full FIFO drops new scans (`iio_store_to_kfifo` in drivers/iio/buffer/kfifo_buf.c). So the gap is after as many
/// scans as the FIFO holds, counted from the first scan of the read.
struct ScanOverflow {
  private let capacity: Int
  private let findsGaps: Bool
  private var count = 0  // the number of scans read
  private var passed = 0  // the number of scans decoded
  private var counted: Int  // the end of the content counted last, in scans
  private var gaps: [Int] = []  // the numbers of the scans that follow a gap

  /// - Parameters:
  ///   - capacity: The scans that the FIFO holds; 0 if unknown, and then nothing is found.
  ///   - findsGaps: Whether ``next()`` is called for each scan.
  init(capacity: Int, findsGaps: Bool) {
    self.capacity = capacity
    self.findsGaps = findsGaps
    counted = -capacity
  }

  /// Call it after each read.
  /// - Parameter waiting: The number of scans that the read left behind.
  /// - Returns: Whether the FIFO was full, and its content was not counted yet.
  mutating func read(_ count: Int, waiting: Int) -> Bool {
    defer { self.count += count }
    guard capacity > 0, count + waiting >= capacity else { return false }
    if findsGaps, gaps.last != self.count + capacity { gaps.append(self.count + capacity) }
    guard self.count >= counted else { return false }
    counted = self.count + capacity
    return true
  }

  /// - Returns: Whether the FIFO may have lost something before the next scan.
  mutating func next() -> Bool {
    defer { passed += 1 }
    guard gaps.first == passed else { return false }
    gaps.removeFirst()
    return true
  }

  /// Whether the next scan was in the full FIFO, so that it follows the previous scan without a gap.
  var isHeld: Bool { gaps.first.map { $0 > passed } ?? false }

  /// Call it when the device was removed, and its FIFO with it.
  mutating func interrupt() {
    gaps = []
    (counted, passed) = (count, count)
  }
}
