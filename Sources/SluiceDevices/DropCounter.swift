/// Follows the kernel's counter of dropped frames, which has 32 bits and wraps.
struct DropCounter: Equatable {
  private var last: UInt32

  init(_ first: UInt32 = 0) { last = first }

  /// - Parameter count: The counter. A frame has the one of its arrival, which may be older than the one seen last.
  /// - Returns: How many more there are.
  mutating func advance(to count: UInt32) -> Int {
    let more = Int32(bitPattern: count &- last)
    guard more > 0 else { return 0 }
    last = count
    return Int(more)
  }
}
