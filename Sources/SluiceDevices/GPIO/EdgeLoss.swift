/// Finds out from the edges of one line what is missing between them.
///
/// Two signs, told apart. A gap in the line's numbers, which libgpiod 2 gives, says exactly how many events the kernel's
/// FIFO lost. Two equal edges in a row, where no gap explains them, say that at least one was lost before the kernel
/// numbered it, or, with libgpiod 1, anywhere; they mean something only where both edges are asked for.
struct EdgeLoss {
  let alternates: Bool
  private var last: UInt32?
  private var level: Bool?

  /// - Parameters:
  ///   - alternates: Both edges are asked for.
  ///   - level: The line's before the first edge, where that is known.
  init(alternates: Bool, level: Bool? = nil) {
    self.alternates = alternates
    self.level = level
  }

  struct Finding: Hashable {
    /// Events lost by the kernel's FIFO, exactly.
    var skipped = 0
    /// Whether this edge is not the one that must follow the one before it, however many were skipped.
    var repeated = false
  }

  /// - Parameter seqno: Of the line, from 1 and around after 2^32 by way of 0; nil where there is none.
  mutating func check(rising: Bool, seqno: UInt32?) -> Finding {
    defer {
      last = seqno
      level = rising
    }
    var finding = Finding()
    if let seqno {
      // A new request starts at 1, so a first event with another number has lost those before it.
      let expected = last.map { $0 &+ 1 } ?? 1
      finding.skipped = Int(clamping: seqno &- expected)
    }
    // An even number of skipped edges leaves the level where it was.
    if alternates, let level { finding.repeated = (level == rising) == finding.skipped.isMultiple(of: 2) }
    return finding
  }

  /// An edge that is left out: only its number counts.
  mutating func pass(seqno: UInt32?) { last = seqno }
}
