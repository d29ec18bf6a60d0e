/// The account of one stream: what became of its readings. It is also the entry of the stream in the metadata.
///
/// Its numbers come from counts that are kept while readings pass, each by the one that decides: the atomic ledger of
/// the pipeline (`StreamLedger`), which any thread counts in; the ``OutputCount`` of each output, under the lock of its
/// sink; and what the sink discards.
public struct StreamAccount: Hashable, Sendable {
  /// The name of the stream.
  public var stream: String
  /// The name of the received stream, if a stage has made this stream from it under another name.
  public var input: String?
  /// Readings received.
  public var received: Int
  /// Readings that came after a later reading had been passed on. In a replay: late readings of the recording, and
  /// readings that came too late to be moved.
  public var late: Int
  /// Readings that a full buffer dropped.
  public var dropped: Int
  /// Readings that stages left out because of their settings.
  public var suppressed: Int
  /// Readings that stages used up to make others.
  public var used: Int
  /// Readings that stages made from them.
  public var made: Int
  /// Readings that a pause discarded.
  public var discarded: Int
  /// Readings in the output with the most readings of this stream.
  public var written: Int
  /// Readings that this output did not write, because of its error or because its format cannot hold them.
  public var unwritten: Int
  /// Readings that an earlier run had left in the log of the output, and that this run gave to it.
  public var resumed = 0
  /// Readings in the log of the output, for the next run.
  public var held = 0
  /// Readings received with an unknown fate in all outputs: 0 after the end.
  public var unaccounted: Int
  /// The times of the first and the last reading that a full buffer dropped; nil if it dropped none.
  public var firstDropped: Int64?
  /// The time of the last reading that a full buffer dropped.
  public var lastDropped: Int64?

  package init(
    stream: String, input: String? = nil, received: Int = 0, late: Int = 0, dropped: Int = 0, suppressed: Int = 0,
    used: Int = 0, made: Int = 0, discarded: Int = 0, written: Int = 0, unwritten: Int = 0, unaccounted: Int = 0
  ) {
    self.stream = stream
    self.input = input
    self.received = received
    self.late = late
    self.dropped = dropped
    self.suppressed = suppressed
    self.used = used
    self.made = made
    self.discarded = discarded
    self.written = written
    self.unwritten = unwritten
    self.unaccounted = unaccounted
  }

  /// Whether some of the readings whose flags are listed are not in the file. If a stage has made readings of the
  /// stream, those are listed, and not the readings that it has used.
  var leavesOut: Bool {
    [dropped, suppressed, discarded, unwritten, held].contains { $0 > 0 } && (made == 0 || written < made)
  }
}

extension StreamAccount: Codable {
  private enum CodingKeys: String, CodingKey {
    case stream, input, received, late, dropped, suppressed, used, made, discarded, written, unwritten, unaccounted
    case resumed, held
    case firstDropped = "first_dropped_ns"
    case lastDropped = "last_dropped_ns"
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    // Earlier versions had fewer counts.
    func count(_ key: CodingKeys) throws -> Int {
      try members.decodeIfPresent(Int.self, forKey: key).map { try Self.checked($0, decoder) } ?? 0
    }
    self.init(
      stream: try members.decode(String.self, forKey: .stream),
      input: try members.decodeIfPresent(String.self, forKey: .input), received: try count(.received),
      late: try count(.late), dropped: try count(.dropped), suppressed: try count(.suppressed),
      used: try count(.used), made: try count(.made), discarded: try count(.discarded), written: try count(.written),
      unwritten: try count(.unwritten),
      // A reading counted twice makes it less than 0, which no other count can be.
      unaccounted: Int(try members.decodeIfPresent(Int64.self, forKey: .unaccounted) ?? 0))
    (resumed, held) = (try count(.resumed), try count(.held))
    firstDropped = try members.decodeIfPresent(Int64.self, forKey: .firstDropped)
    lastDropped = try members.decodeIfPresent(Int64.self, forKey: .lastDropped)
  }

  /// A count above 2^53 is not exact in JSON, and no recording has so many readings.
  static func checked(_ count: Int, _ decoder: any Decoder) throws -> Int {
    guard (0...1 << 53).contains(count) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "has \(count), which cannot be a number of readings"))
    }
    return count
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(stream, forKey: .stream)
    try members.encodeIfPresent(input, forKey: .input)
    let counts: [(CodingKeys, Int)] = [
      (.received, received), (.late, late), (.dropped, dropped), (.suppressed, suppressed), (.used, used),
      (.made, made),
      (.discarded, discarded), (.written, written), (.unwritten, unwritten), (.unaccounted, unaccounted),
    ]
    for (key, count) in counts { try members.encode(count, forKey: key) }
    if resumed != 0 { try members.encode(resumed, forKey: .resumed) }
    if held != 0 { try members.encode(held, forKey: .held) }
    try members.encodeIfPresent(firstDropped, forKey: .firstDropped)
    try members.encodeIfPresent(lastDropped, forKey: .lastDropped)
  }
}

extension StreamAccount {
  /// - Parameters:
  ///   - droppedTimes: For each cause of drops, the times of the first and the last dropped reading.
  ///   - outputs: The count of the stream in each output, and whether the output has failed.
  ///   - resumed: Readings that an earlier run had left in the log of the output.
  ///   - held: Readings in the log for the next run.
  ///   - isOne: Whether this is the account of one output. Then drops of this output count as dropped.
  package init(
    stream: String, input: String? = nil, received: Int, dropped: Int, suppressed: Int, used: Int = 0, made: Int = 0,
    discarded: Int, late: Int,
    droppedTimes: [ClosedRange<Int64>] = [], outputs: [(count: OutputCount, hasFailed: Bool)],
    resumed: Int = 0, held: Int = 0, isOne: Bool = false
  ) {
    self.init(
      stream: stream, input: input == stream ? nil : input, received: received, late: late, dropped: dropped,
      suppressed: suppressed, used: used, made: made, discarded: discarded)
    (firstDropped, lastDropped) = (droppedTimes.map(\.lowerBound).min(), droppedTimes.map(\.upperBound).max())
    let best = outputs.max { $0.count.written < $1.count.written }
    written = best?.count.written ?? 0
    unwritten = best?.count.unwritten ?? 0
    (self.resumed, self.held) = (resumed, held)
    let toWrite = received - dropped - suppressed - used + made - discarded + resumed - held
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
