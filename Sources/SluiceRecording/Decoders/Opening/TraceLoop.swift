/// The rounds of a replay.
package struct TraceLoop: Sendable {
  /// The number of rounds; nil for an endless replay.
  package var rounds: Int?
  /// The part of each round that is replayed; nil for all.
  package var window: TraceWindow?

  package init(rounds: Int?, window: TraceWindow? = nil) {
    self.rounds = rounds
    self.window = window
  }
}
