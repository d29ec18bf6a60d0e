/// Counts the missing numbers of a request, for all of its lines.
///
/// Numbers are nearly in order. A late number fills the hole that it left.
struct NumberGaps {
  private(set) var missing = 0
  private var highest: UInt32 = 0

  /// - Parameter seqno: The number in the request. It begins with 1, and 0 follows 2^32 - 1.
  mutating func add(_ seqno: UInt32) {
    let ahead = Int32(bitPattern: seqno &- highest)
    if ahead > 0 {
      missing += Int(ahead) - 1
      highest = seqno
    } else {
      missing = max(0, missing - 1)
    }
  }
}
