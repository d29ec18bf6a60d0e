/// Finds out from the edges of one line what is missing between them.
///
/// Two signs, told apart. A gap in the sequence numbers, which libgpiod 2 gives, says exactly how many events the
/// kernel's FIFO lost. Two equal edges in a row say that at least one was lost before the kernel saw it, or, with
/// libgpiod 1, anywhere; they mean something only where both edges are asked for.
struct EdgeLoss {
  let alternates: Bool
  private var last: UInt32?
  private var level: Bool?

  /// - Parameter alternates: Both edges are asked for.
  init(alternates: Bool) { self.alternates = alternates }

  struct Finding: Hashable {
    /// Events lost by the kernel's FIFO, exactly.
    var skipped = 0
    /// Whether this edge equals the one before it, without any gap in the numbers to explain it.
    var repeated = false
  }

  /// - Parameter seqno: Of the line, from 1 and around after 2^32; 0 where there is none.
  mutating func check(rising: Bool, seqno: UInt32) -> Finding {
    defer {
      last = seqno
      level = rising
    }
    var finding = Finding()
    if seqno != 0 {
      // A new request starts at 1, so a first event with another number has lost those before it.
      let expected = last.map { $0 &+ 1 } ?? 1
      finding.skipped = Int(seqno &- expected)
    }
    finding.repeated = alternates && finding.skipped == 0 && level == rising
    return finding
  }
}
