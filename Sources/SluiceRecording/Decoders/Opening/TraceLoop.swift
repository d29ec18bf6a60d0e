/// The rounds of a replay.
package struct TraceLoop: Sendable {
  /// The number of rounds; nil for an endless replay.
  package var rounds: Int?
  /// The part of each round that is replayed, in nanoseconds since its first reading; nil for all.
  package var window: Range<Int64>?

  package init(rounds: Int?, window: Range<Int64>? = nil) {
    self.rounds = rounds
    self.window = window
  }
}
