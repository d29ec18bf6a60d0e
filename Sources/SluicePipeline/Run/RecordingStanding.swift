/// The state of a running recording.
package struct RecordingStanding {
  package var received: Int
  /// Readings lost in this run.
  package var lost: Int
  /// Whether a loss of any source would show.
  package var lossesShow: Bool
  /// The used part of the buffers in percent; nil for a replay, and without a buffer.
  package var fill: Int?
  /// Seconds since the last loss; nil if there was none.
  package var sinceLoss: Double?
  /// Seconds since the start.
  package var seconds: Double
  package var isPaused: Bool
  /// The time by the clock of the readings.
  package var now: Int64 = 0
  /// Whether the system says that the wall clock is synchronised; nil if it does not say, and for a replay.
  package var isSynchronised: Bool?
  /// The account so far, from which this was made.
  package var account: Account?
  /// By output of the account, the readings among those written that a full disk has not taken; nil for one that takes
  /// them.
  package var waiting: [Int?] = []

  /// The readings that an output has written, without those that wait for its disk.
  /// - Parameter output: Its number.
  package func written(_ output: Int) -> (count: Int, waiting: Int?) {
    guard let account, account.outputs.indices.contains(output) else { return (0, nil) }
    let waiting = output < waiting.count ? waiting[output] : nil
    return (max(0, account.outputs[output].written - (waiting ?? 0)), waiting)
  }

  package init(
    received: Int, lost: Int = 0, lossesShow: Bool = true, fill: Int? = nil, sinceLoss: Double? = nil, seconds: Double,
    isPaused: Bool = false
  ) {
    self.lossesShow = lossesShow
    (self.received, self.lost, self.fill) = (received, lost, fill)
    (self.sinceLoss, self.seconds, self.isPaused) = (sinceLoss, seconds, isPaused)
  }
}
