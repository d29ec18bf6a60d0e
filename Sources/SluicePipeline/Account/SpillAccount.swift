/// What became of the readings that an output did not take, and that went to its log on the disk (``SpillPlan``).
public struct SpillAccount: Hashable, Sendable, Codable {
  /// Readings that went to the log.
  public var spilled: Int
  /// Readings that the output got from the log.
  public var drained: Int
  /// Those of them that an earlier run had left.
  public var resumed: Int
  /// Readings in the log: at the end, those for the next run.
  public var held: Int
  /// Readings of the log that could not be read.
  public var lost: Int
  /// Those of them that an earlier run had left; nil if there are none.
  public var lostOfEarlierRun: Int?
  /// The bytes of the log.
  public var bytes: Int64
  /// The time of the first reading that went to the log, in nanoseconds since the epoch.
  public var first: Int64?
  /// The time of the last reading that went to the log.
  public var last: Int64?

  private enum CodingKeys: String, CodingKey {
    case spilled, drained, resumed, held, lost, bytes
    case lostOfEarlierRun = "lost_of_earlier_run"
    case first = "first_spilled_ns"
    case last = "last_spilled_ns"
  }
}
