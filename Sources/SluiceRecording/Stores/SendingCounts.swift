/// What became of the readings that an output sends to a server.
public struct SendingCounts: Hashable, Sendable {
  /// A number of readings, and the times of the first and the last of them, in nanoseconds since the epoch.
  public struct Count: Hashable, Sendable {
    /// The number of readings.
    public var readings = 0
    /// The times of the first and the last of them.
    public var times: ClosedRange<Int64>?

    /// Makes a count of no readings.
    public init() {}

    /// Adds readings with these times.
    public mutating func add(_ count: Int, _ times: ClosedRange<Int64>) {
      guard count > 0 else { return }
      readings += count
      let before = self.times ?? times
      self.times = min(before.lowerBound, times.lowerBound)...max(before.upperBound, times.upperBound)
    }
  }

  /// Readings that are in the spool, and not acknowledged.
  public var queued = 0
  /// Readings that were sent, each once.
  public var sent = Count()
  /// Readings that the server has acknowledged.
  public var acknowledged = Count()
  /// Those of them that nobody has: a broker has acknowledged them, and nobody has subscribed to their topic.
  public var unheard = Count()
  /// Readings that were sent again, each time.
  public var repeated = Count()
  /// Readings that the server refuses for good.
  public var refused = Count()
  /// Readings that a full spool gave up, or did not take.
  public var dropped = Count()
  /// Readings of an earlier run that the server has acknowledged.
  public var resumed = 0
  /// Readings of the spool that could not be read.
  public var lost = 0
  /// Those of them that an earlier run had left. They are no readings of this run, so no stream of it has them.
  public var lostOfEarlierRun = 0
  /// The bytes of the spool.
  public var bytes: Int64 = 0

  /// Makes counts of no readings.
  public init() {}
}

/// Readings that a store has taken, and that are not written after all.
public struct LostReadings: Sendable {
  /// By stream, their number.
  public var counts: [Int]
  /// Their times.
  public var times: ClosedRange<Int64>
  /// Whether they were dropped because nothing had room for them; otherwise they are not written.
  public var isDropped: Bool

  /// Makes the readings.
  public init(counts: [Int], times: ClosedRange<Int64>, isDropped: Bool) {
    (self.counts, self.times, self.isDropped) = (counts, times, isDropped)
  }
}
