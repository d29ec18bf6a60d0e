import SluiceRecording

/// What became of the readings that an output sends to a server (``SendingPlan``).
public struct SendingAccount: Hashable, Sendable, Codable {
  /// A number of readings, and the times of the first and the last of them.
  public struct Count: Hashable, Sendable, Codable {
    /// The number of readings.
    public var readings: Int
    /// The time of the earliest of them, in nanoseconds since the epoch; nil if there is none.
    public var first: Int64?
    /// The time of the latest of them.
    public var last: Int64?

    private enum CodingKeys: String, CodingKey {
      case readings
      case first = "first_ns"
      case last = "last_ns"
    }

    init(_ count: SendingCounts.Count) {
      (readings, first, last) = (count.readings, count.times?.lowerBound, count.times?.upperBound)
    }
  }

  /// Readings that wait for the server: at the end, those for the next run.
  public var queued: Int
  /// Readings that were sent, each once.
  public var sent: Count
  /// Readings that the server has acknowledged.
  public var acknowledged: Count
  /// Those of them that nobody has, because nobody had subscribed to their topic; nil for none. Only brokers of MQTT 5 say so.
  public var unheard: Count?
  /// Readings that were sent again, each time.
  public var repeated: Count
  /// Readings that the server refuses for good.
  public var refused: Count
  /// Readings that a full spool gave up, or did not take.
  public var dropped: Count
  /// Those that an earlier run has left, and that the server has acknowledged.
  public var resumed: Int
  /// Readings of the spool that could not be read.
  public var lost: Int
  /// Those of them that an earlier run had left; nil if there are none.
  public var lostOfEarlierRun: Int?
  /// The bytes of the spool, with what is acknowledged and kept.
  public var bytes: Int64

  /// Why a server will not get some of the readings; nil if it gets all.
  var causeOfUnwritten: String? {
    let causes = [
      (dropped.readings, "the spool was full"), (refused.readings, "the server refuses them"),
      (lost - (lostOfEarlierRun ?? 0), "damaged in the spool"),
    ]
    let found = causes.filter { $0.0 > 0 }.map(\.1)
    return found.isEmpty ? nil : found.joined(separator: ", ")
  }

  init(_ counts: SendingCounts) {
    (queued, sent, acknowledged) = (counts.queued, Count(counts.sent), Count(counts.acknowledged))
    (repeated, refused, dropped) = (Count(counts.repeated), Count(counts.refused), Count(counts.dropped))
    unheard = counts.unheard.readings > 0 ? Count(counts.unheard) : nil
    (resumed, lost, bytes) = (counts.resumed, counts.lost, counts.bytes)
    lostOfEarlierRun = counts.lostOfEarlierRun > 0 ? counts.lostOfEarlierRun : nil
  }

  private enum CodingKeys: String, CodingKey {
    case queued, sent, acknowledged, unheard, repeated, refused, dropped, resumed, lost
    case lostOfEarlierRun = "lost_of_earlier_run"
    case bytes
  }
}
