package import SluiceRecording

/// The account of one stream.
public struct StreamAccount: Hashable, Sendable, Codable {
  /// The name of the stream.
  public var name: String
  /// The name of the received stream, if a stage has made this stream from it under another name.
  public var input: String?
  /// Readings received.
  public var received: Int
  /// Readings that came after a later reading had been passed on. In a replay: late readings of the recording, and
  /// readings that came too late to be moved.
  public var late = 0
  /// Readings that a full buffer dropped.
  public var dropped: Int
  /// Readings that stages left out because of their settings.
  public var suppressed: Int
  /// Readings that stages used up to make others.
  public var used = 0
  /// Readings that stages made from them.
  public var made = 0
  /// Readings that a pause discarded.
  public var discarded: Int
  /// Readings in the output with the most readings of this stream.
  public var written: Int
  /// Readings that this output did not write, because of its error or because its format cannot hold them.
  public var unwritten = 0
  /// Readings received with an unknown fate in all outputs: 0 after the end.
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
  ///   - droppedTimes: For each cause of drops, the times of the first and the last dropped reading.
  ///   - outputs: The count of the stream in each output, and whether the output has failed.
  ///   - isOne: Whether this is the account of one output. Then drops of this output count as dropped.
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
    // Drops of one output are dropped in its own account, and not written in the account of all outputs.
    if isOne { self.dropped += best?.count.dropped ?? 0 } else { unwritten += best?.count.dropped ?? 0 }
    // When the last output failed, some readings were on their way. They are in no output.
    if outputs.allSatisfy(\.hasFailed) {
      unwritten = toWrite - written - (isOne ? best?.count.dropped ?? 0 : 0)
    } else {
      unaccounted =
        outputs.lazy.map { toWrite - $0.count.written - $0.count.unwritten - $0.count.dropped }.first { $0 != 0 } ?? 0
    }
  }
}
