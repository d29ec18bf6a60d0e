/// Finds out when the kernel's FIFO of scans was full, and which scan follows those that it held.
///
/// When it is full it throws away what comes (`iio_store_to_kfifo` in drivers/iio/buffer/kfifo_buf.c), so that the gap is
/// behind as many scans as it holds, counted from the first that the read took.
struct ScanOverflow {
  private let capacity: Int
  private let findsGaps: Bool
  private var count = 0  // scans read
  private var passed = 0  // of them, those that were decoded
  private var counted: Int  // how many when it was full and counted
  private var gaps: [Int] = []  // before the scans of these numbers

  /// - Parameters:
  ///   - capacity: Scans that the FIFO holds; 0 where nobody knows, and nothing is found out.
  ///   - findsGaps: Whether ``next()`` is asked for each scan.
  init(capacity: Int, findsGaps: Bool) {
    self.capacity = capacity
    self.findsGaps = findsGaps
    counted = -capacity
  }

  /// Scans were read.
  /// - Parameter waiting: How many the read left behind.
  /// - Returns: Whether the FIFO was full, for the first time with what it held.
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

  /// Whether the next scan was in the FIFO when it was full: it follows the one before without a pause.
  var isHeld: Bool { gaps.first.map { $0 > passed } ?? false }

  /// The FIFO has gone with its device.
  mutating func interrupt() {
    gaps = []
    (counted, passed) = (count, count)
  }
}
