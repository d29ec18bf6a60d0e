/// Brings times that a board counts from its start to the clock of a recording.
///
/// The first time is that of its line's receipt, and the distances are the board's. A time that goes back shows that the
/// board was started again, or that its counter has wrapped: it is that of its line's receipt, too.
struct BoardClock {
  private var (offset, last): (Int64, Int64?) = (0, nil)

  /// - Parameter own: Nanoseconds since the start of the board.
  mutating func time(_ own: Int64, received: Int64) -> Int64 {
    if last.map({ own < $0 }) ?? true { offset = received &- own }
    last = own
    return own &+ offset
  }
}
