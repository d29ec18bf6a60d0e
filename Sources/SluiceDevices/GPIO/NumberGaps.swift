/// Counts the numbers of a request that are missing, whichever line's they were.
///
/// They come nearly in order: a late one fills the hole that it left.
struct NumberGaps {
  private(set) var missing = 0
  private var highest: UInt32 = 0

  /// - Parameter seqno: Of the request, from 1 and around after 2^32.
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
