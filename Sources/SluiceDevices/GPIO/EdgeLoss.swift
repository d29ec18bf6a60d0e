/// Finds the edges that are missing between the edges of one line.
///
/// There are two separate signs. A gap in the numbers of the line, which libgpiod 2 has, is exactly the number of
/// events that the kernel's FIFO lost. Two equal edges in a row without a gap mean that at least one edge was lost
/// before the kernel numbered it; with libgpiod 1, it may have been lost anywhere. Equal edges are a sign only if both
/// edges are requested.
struct EdgeLoss {
  let alternates: Bool
  private var last: UInt32?
  private var level: Bool?

  /// - Parameters:
  ///   - alternates: Whether both edges are requested.
  ///   - level: The level of the line before the first edge, if it is known.
  init(alternates: Bool, level: Bool? = nil) {
    self.alternates = alternates
    self.level = level
  }

  struct Finding: Equatable {
    /// The exact number of events that the kernel's FIFO lost.
    var skipped = 0
    /// Whether the edge has the wrong direction after the previous one, with all skipped edges counted.
    var repeated = false
  }

  /// - Parameter seqno: The number in the line. It begins with 1, and 0 follows 2^32 - 1. Nil if there is none.
  mutating func check(rising: Bool, seqno: UInt32?) -> Finding {
    defer {
      last = seqno
      level = rising
    }
    var finding = Finding()
    if let seqno {
      // A new request starts at 1. If its first event has another number, the events before it were lost.
      let expected = last.map { $0 &+ 1 } ?? 1
      finding.skipped = Int(clamping: seqno &- expected)
    }
    // An even number of skipped edges does not change the level.
    if alternates, let level { finding.repeated = (level == rising) == finding.skipped.isMultiple(of: 2) }
    return finding
  }

  /// Skips an edge that is left out; only its number counts.
  mutating func pass(seqno: UInt32?) { last = seqno }
}
