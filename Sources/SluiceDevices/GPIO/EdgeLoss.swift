/// Finds what is missing between the edges of one line, and which of them do not fit.
///
/// With numbers, which libgpiod 2 has, a gap is exactly the number of events that the kernel's FIFO lost, and nothing
/// else is counted as lost.
///
/// Without numbers, only the directions and the times are known. The kernel makes them like this
/// (drivers/gpio/gpiolib-cdev.c, `lineevent_irq_thread`, and `edge_irq_thread` for libgpiod 2): the level of a line
/// alternates. Each change raises an interrupt. Changes that come before the thread of the interrupt runs share one
/// event, and a full FIFO drops the event. If both edges are requested, the thread reads the level, and reports this
/// level as the direction. So the direction of an event is the level after its own change, or after a later one. Let
/// the level for the n-th event be read after a(n) changes: a(n) >= n, and a(n) never goes back.
///
/// - Two equal edges in a row: an odd number of edges between them was lost, or one of the two was read late. Nothing
///   shows which of the two happened. So the second edge is flagged, and no edge is counted as lost.
/// - Every order of directions is possible without a loss: each a(n) is n or n + 1, whichever has the right parity. So
///   an order alone proves no loss.
/// - If a level is known to be right, and n edges later another one, then the parity of the changes between them is
///   known. If it is not the parity of n, at least one edge was lost. One lost edge is enough to explain the
///   difference, so one is counted.
///
/// A level is known to be right if, after it was read, no event of an earlier change is still to come. This is so if
/// the line was still.
struct EdgeLoss {
  /// The distance in nanoseconds to the next edge after which the direction of an edge is right. It is far longer than
  /// an interrupt and its thread are ever late.
  static var stillness: UInt64 { 1_000_000_000 }

  let alternates: Bool
  private var last: UInt32?
  private var level: Bool?
  /// The time of the last edge without a number.
  private var time: UInt64?
  /// The level that the line has if no edge was lost since the last level that is known to be right; nil if no level is
  /// known to be right.
  private var expected: Bool?

  /// - Parameter alternates: Whether both edges are requested.
  init(alternates: Bool) { self.alternates = alternates }

  /// Sets the level before the first edge.
  /// - Parameter isRight: Whether edges have no numbers, and no edge that came before the level was read is still to be
  ///   delivered.
  mutating func begin(level: Bool?, isRight: Bool) {
    self.level = level
    expected = isRight ? level : nil
  }

  struct Finding: Equatable {
    /// The exact number of events that the kernel's FIFO lost.
    var skipped = 0
    /// Whether the edge has the wrong direction after the previous one, with all skipped edges counted.
    var repeated = false
    /// Whether at least one of the edges between the last two levels that are known to be right was lost.
    var mismatched = false
  }

  /// - Parameters:
  ///   - time: The time of the edge, in nanoseconds.
  ///   - seqno: The number in the line. It begins with 1, and 0 follows 2^32 - 1. Nil if there is none.
  mutating func check(rising: Bool, time: UInt64, seqno: UInt32?) -> Finding {
    var finding = Finding()
    if let seqno {
      // A new request starts at 1. If its first event has another number, the events before it were lost.
      let expected = last.map { $0 &+ 1 } ?? 1
      finding.skipped = Int(clamping: seqno &- expected)
    } else {
      finding.mismatched = settle(at: time, after: Self.stillness)
      expected?.toggle()
      self.time = time
    }
    // An even number of skipped edges does not change the level.
    if alternates, let level { finding.repeated = (level == rising) == finding.skipped.isMultiple(of: 2) }
    (last, level) = (seqno, rising)
    return finding
  }

  /// Skips an edge that is left out; only its number counts.
  mutating func pass(seqno: UInt32?) { last = seqno }

  /// If the line was still since the last edge, the level is right.
  /// - Parameter stillness: How long it must have been still, in nanoseconds.
  /// - Returns: Whether at least one edge was lost between this level and the last one that is known to be right.
  mutating func settle(at now: UInt64, after stillness: UInt64) -> Bool {
    guard alternates, let time, now > time, now - time > stillness else { return false }
    let isMismatched = expected.map { $0 != level } ?? false
    expected = level
    return isMismatched
  }
}
