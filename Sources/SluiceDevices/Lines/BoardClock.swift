/// Brings times that a board counts from its start to the clock of a recording.
///
/// The first time is that of its line's receipt, and the distances are the board's. A time that goes back shows that the
/// board was started again, or that its counter has wrapped: it is that of its line's receipt too, but not before the time
/// of the line before.
struct BoardClock {
  private var offset: Int64 = 0
  /// The last time of the board, and that of the recording.
  private var last: (own: Int64, time: Int64)?

  /// - Parameter own: Nanoseconds since the start of the board.
  mutating func time(_ own: Int64, received: Int64) -> Int64 {
    if let last {
      if own < last.own { offset = max(received, last.time) &- own }
    } else {
      offset = received &- own
    }
    let time = own &+ offset
    last = (own, time)
    return time
  }
}
