package import SluiceRecording

/// What became of the readings of one stream.
public struct StreamAccount: Hashable, Sendable, Codable {
  /// The name of the stream.
  public var name: String
  /// The name of the stream that was received, if a stage made one of another name from it.
  public var input: String?
  /// Readings that were received.
  public var received: Int
  /// Of those received: readings that came after readings of a later time had been passed on. In a replay, those of
  /// the recording, and those that came too late to be put into order.
  public var late = 0
  /// Readings that a full buffer dropped.
  public var dropped: Int
  /// Readings that stages left out, as they were set to.
  public var suppressed: Int
  /// Readings that stages used up to make others.
  public var used = 0
  /// Readings that stages made of them.
  public var made = 0
  /// Readings that a pause discarded.
  public var discarded: Int
  /// Readings in the output that has most of them.
  public var written: Int
  /// Readings that this output did not write: because of its error, or because its format cannot hold them.
  public var unwritten = 0
  /// Readings received of which nothing above says what became of them, in any output: 0 at the end.
  public var unaccounted = 0
  /// The times of the first and the last reading that a full buffer dropped; nil if it dropped none.
  public var firstDropped: Int64?
  /// The time of the last reading that a full buffer dropped.
  public var lastDropped: Int64?

  private enum CodingKeys: String, CodingKey {
    case name = "stream"
    case input, received, late, dropped, suppressed, used, made, discarded, written, unwritten, unaccounted
    case firstDropped = "first_dropped_ns"
    case lastDropped = "last_dropped_ns"
  }
}

extension StreamAccount {
  /// - Parameters:
  ///   - droppedTimes: From the first to the last reading that was dropped, by each who has dropped some.
  ///   - outputs: What each has of the stream, and whether it has failed.
  ///   - isOne: It is the account of that one output, with what this output alone has dropped.
  package init(
    name: String, input: String? = nil, received: Int, dropped: Int, suppressed: Int, used: Int = 0, made: Int = 0,
    discarded: Int, late: Int,
    droppedTimes: [ClosedRange<Int64>] = [], outputs: [(count: OutputCount, hasFailed: Bool)], isOne: Bool = false
  ) {
    self.init(
      name: name, received: received, late: late, dropped: dropped, suppressed: suppressed, used: used, made: made,
      discarded: discarded, written: 0)
    self.input = input == name ? nil : input
    (firstDropped, lastDropped) = (droppedTimes.map(\.lowerBound).min(), droppedTimes.map(\.upperBound).max())
    let best = outputs.max { $0.count.written < $1.count.written }
    written = best?.count.written ?? 0
    unwritten = best?.count.unwritten ?? 0
    let toWrite = received - dropped - suppressed - used + made - discarded
    // What one output has dropped by itself is dropped in its own account, and in that of all not written.
    if isOne { self.dropped += best?.count.dropped ?? 0 } else { unwritten += best?.count.dropped ?? 0 }
    // Readings on their way when the last output failed are in no output.
    if outputs.allSatisfy(\.hasFailed) {
      unwritten = toWrite - written - (isOne ? best?.count.dropped ?? 0 : 0)
    } else {
      unaccounted =
        outputs.lazy.map { toWrite - $0.count.written - $0.count.unwritten - $0.count.dropped }.first { $0 != 0 } ?? 0
    }
  }
}
