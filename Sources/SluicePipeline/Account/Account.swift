public import SluiceReadings
public import SluiceRecording

/// The account of a recording or a replay: the fate of every reading.
///
/// Use it after ``Recording/wait()``, or during the recording from ``Recording/account``. Each received reading is
/// written, dropped, left out, used up, discarded or not written. ``unaccounted`` is 0 after the end of the recording.
///
/// ```swift
/// let account = recording.wait()
/// print(account.text)  // recorded 2,000 readings in 2.00 s (1,000/s): 2,000 written, nothing lost
/// ```
///
/// Its JSON is described in docs/Account.md. Times are nanoseconds since the epoch.
public struct Account: Hashable, Sendable {
  /// The version of the JSON that is written.
  public static let version = 1

  /// The command of an account.
  public enum Command: String, Codable, Sendable { case record, replay, convert }

  /// The command of this account.
  public var command: Command
  /// The seconds from the start to the end, or to the present.
  public var seconds: Double
  /// The account of each stream.
  public var streams: [StreamAccount]
  /// The account of each output.
  public var outputs: [OutputAccount]
  /// The highest number of readings seen waiting in the stages.
  public var peakHeld = 0
  /// Readings that never reached the pipeline.
  public var losses: [Loss]
  /// Whether none, some or all of the losses before the pipeline would show.
  public var lossesShown = LossCoverage.all
  /// The streams whose losses would not show, if losses of other streams would.
  public var unseen: [String] = []
  /// The stages that left readings out.
  public var leftOutBy: [String] = []
  /// The stages that made readings from others.
  public var madeBy: [String] = []
  /// The trace that was replayed; nil for a recording.
  public var trace: ReplayedTrace?
  /// The pace of a replay with a rate; nil otherwise.
  public var pace: PaceAccount?
  /// Counts of a replay with `--reorder`; nil otherwise.
  public var reorder: ReorderAccount?
  /// Whether ``Recording/stop()``, a signal, a limit or the reader of the last output ended it. Then a trace was not
  /// replayed completely.
  public var wasStopped = false
  /// Errors of sources and outputs, as sentences.
  public var errors: [String] = []

  package init(
    command: Command = .record, streams: [StreamAccount], outputs: [OutputAccount] = [], losses: [Loss],
    lossesShown: LossCoverage = .all, unseen: [String] = [], trace: ReplayedTrace? = nil,
    errors: [String] = [], seconds: Double
  ) {
    self.command = command
    self.streams = streams
    self.outputs = outputs
    self.losses = losses
    self.lossesShown = lossesShown
    self.unseen = unseen
    self.trace = trace
    self.errors = errors
    self.seconds = seconds
  }

  // MARK: Sums

  /// Readings received.
  public var received: Int { sum(\.received) }
  /// Readings written. If there are several outputs, each stream counts in the output with the most readings of it.
  public var written: Int { sum(\.written) }
  /// Readings that came after a later reading had been passed on.
  public var late: Int { sum(\.late) }
  /// Readings that full buffers dropped.
  public var dropped: Int { sum(\.dropped) }
  /// Readings that stages left out because of their settings.
  public var suppressed: Int { sum(\.suppressed) }
  /// Readings that stages used up to make others.
  public var used: Int { sum(\.used) }
  /// Readings that stages made.
  public var made: Int { sum(\.made) }
  /// Readings that pauses discarded.
  public var discarded: Int { sum(\.discarded) }
  /// Readings not written because of errors of the outputs, or because no output can hold them.
  public var unwritten: Int { sum(\.unwritten) }
  /// Readings that an earlier run had left in the log of an output, and that this run gave to it.
  public var resumed: Int { sum(\.resumed) }
  /// Readings that an earlier run had left in the logs of the outputs, and that could not be read.
  package var lostOfEarlierRun: Int { outputs.reduce(0) { $0 + $1.lostOfEarlierRun } }
  /// Readings in the logs of the outputs: at the end, those for the next run. Those of an earlier run that this run did not
  /// give to an output do not count.
  public var held: Int { sum(\.held) }
  /// Readings received with an unknown fate: 0 after the end.
  public var unaccounted: Int { sum(\.unaccounted) }
  /// Readings lost, dropped or not written, now or when the trace was recorded. Readings left out on purpose do not
  /// count. If there are several outputs, the one with the most missing readings counts.
  public var lost: Int { lost { _ in true } }
  /// The same without the readings that were lost when the trace was recorded.
  package var lostHere: Int { lost { !$0.isRecorded } }

  private func lost(_ isCounted: (Loss) -> Bool) -> Int {
    let missed = outputs.reduce(unwritten) { max($0, $1.unwritten + $1.dropped + $1.lostOfEarlierRun) }
    return losses.reduce(dropped + missed) { $1.countsReadings && isCounted($1) ? adding($0, $1.count) : $0 }
  }
  /// Whether a source or an output failed. Then the account never says that nothing was lost.
  public var hasFailed: Bool { !errors.isEmpty }

  private func sum(_ path: KeyPath<StreamAccount, Int>) -> Int { streams.reduce(0) { $0 + $1[keyPath: path] } }

  /// Adds two counts without a trap, because counts come from devices and files, and the sum may overflow.
  func adding(_ a: Int, _ b: Int) -> Int {
    let (sum, isOverflow) = a.addingReportingOverflow(b)
    return isOverflow ? .max : sum
  }
}

extension Account: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, command, seconds
    case received, written, late, dropped, suppressed, used, made, discarded, unwritten, unaccounted, lost
    case resumed, held
    case peakHeld = "peak_held"
    case streams, outputs, losses
    case lossesShown = "losses_shown"
    case unseen
    case leftOutBy = "left_out_by"
    case madeBy = "made_by"
    case trace, pace, reorder
    case wasStopped = "stopped"
    case errors
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let version = try members.decode(Int.self, forKey: .version)
    guard version <= Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: members, debugDescription: "it is \(version), and this sluice knows \(Self.version)")
    }
    command = try members.decode(Command.self, forKey: .command)
    seconds = try members.decode(Double.self, forKey: .seconds)
    // Sums are not decoded, because the streams give them.
    peakHeld = try members.decodeIfPresent(Int.self, forKey: .peakHeld) ?? 0
    streams = try members.decode([StreamAccount].self, forKey: .streams)
    outputs = try members.decode([OutputAccount].self, forKey: .outputs)
    losses = try members.decode([Loss].self, forKey: .losses)
    lossesShown = try members.decode(LossCoverage.self, forKey: .lossesShown)
    unseen = try members.decodeIfPresent([String].self, forKey: .unseen) ?? []
    leftOutBy = try members.decodeIfPresent([String].self, forKey: .leftOutBy) ?? []
    madeBy = try members.decodeIfPresent([String].self, forKey: .madeBy) ?? []
    trace = try members.decodeIfPresent(ReplayedTrace.self, forKey: .trace)
    pace = try members.decodeIfPresent(PaceAccount.self, forKey: .pace)
    reorder = try members.decodeIfPresent(ReorderAccount.self, forKey: .reorder)
    wasStopped = try members.decode(Bool.self, forKey: .wasStopped)
    errors = try members.decode([String].self, forKey: .errors)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(Self.version, forKey: .version)
    try members.encode(command, forKey: .command)
    try members.encode(seconds, forKey: .seconds)
    let sums: [(CodingKeys, Int)] = [
      (.received, received), (.written, written), (.late, late), (.dropped, dropped), (.suppressed, suppressed),
      (.used, used), (.made, made), (.discarded, discarded), (.unwritten, unwritten), (.unaccounted, unaccounted),
      (.lost, lost),
      (.peakHeld, peakHeld),
    ]
    for (key, sum) in sums { try members.encode(sum, forKey: key) }
    // Only with a spill.
    for (key, sum) in [(CodingKeys.resumed, resumed), (.held, held)] where sum != 0 {
      try members.encode(sum, forKey: key)
    }
    try members.encode(streams, forKey: .streams)
    try members.encode(outputs, forKey: .outputs)
    try members.encode(losses, forKey: .losses)
    try members.encode(lossesShown, forKey: .lossesShown)
    if !unseen.isEmpty { try members.encode(unseen, forKey: .unseen) }
    if !leftOutBy.isEmpty { try members.encode(leftOutBy, forKey: .leftOutBy) }
    if !madeBy.isEmpty { try members.encode(madeBy, forKey: .madeBy) }
    try members.encodeIfPresent(trace, forKey: .trace)
    try members.encodeIfPresent(pace, forKey: .pace)
    try members.encodeIfPresent(reorder, forKey: .reorder)
    try members.encode(wasStopped, forKey: .wasStopped)
    try members.encode(errors, forKey: .errors)
  }

  package var json: JSON {
    // Encoding an account cannot fail.
    (try? JSON(encoding: self)) ?? .null
  }
}

/// The account of one output.
public struct OutputAccount: Hashable, Sendable, Codable {
  /// The path as it was given: `walk.csv`.
  public var output: String
  /// The name of the format.
  public var format: String
  /// The counts of each stream.
  public var streams: [OutputCount]
  /// The reason for an early end without an error: the reader of the pipe has closed it.
  public var ended: String?
  /// The error that ended it.
  public var error: String?
  /// The time when its end or its error was noticed, in nanoseconds since the epoch.
  public var since: Int64?
  /// The times of the first and the last reading that this output dropped, while its disk was away or its buffer full.
  public var firstDropped: Int64?
  /// The time of the last reading that it dropped.
  public var lastDropped: Int64?
  /// The readings that its own buffer dropped; nil if it has none.
  public var droppedByBuffer: Int?
  /// The readings that its own stages left out; nil if it has none.
  public var suppressed: Int?
  /// The readings that its own stages used to make others; nil if it has none.
  public var used: Int?
  /// The readings that its own stages made; nil if it has none.
  public var made: Int?
  /// Its spill; nil if it has none, or did not need it.
  public var spill: SpillAccount?
  /// What it has sent; nil if it is no server.
  public var sending: SendingAccount?
  /// The duration of the longest sync, in nanoseconds.
  public var longestSync: Int64?
  /// The old parts that were removed by `--keep`.
  public var removed: Removed?

  /// Old parts that were removed.
  public struct Removed: Hashable, Sendable, Codable {
    /// The number of parts.
    public var parts = 0
    /// The bytes of these parts.
    public var bytes: Int64 = 0
    /// The number of readings in these parts. Parts without this number in their metadata do not count.
    public var readings = 0

    package init() {}

    mutating func count(_ bytes: Int64, _ readings: Int?) {
      parts += 1
      let (sum, isOverflow) = self.readings.addingReportingOverflow(readings ?? 0)
      self.readings = isOverflow ? .max : sum
      self.bytes &+= bytes
    }
  }

  private enum CodingKeys: String, CodingKey {
    case output, format, streams, ended, error
    case since = "since_ns"
    case firstDropped = "first_dropped_ns"
    case lastDropped = "last_dropped_ns"
    case droppedByBuffer = "dropped_by_buffer"
    case suppressed, used, made, spill, sending
    case longestSync = "longest_sync_ns"
    case removed
  }

  package var written: Int { streams.reduce(0) { $0 + $1.written } }
  package var unwritten: Int { streams.reduce(0) { $0 + $1.unwritten } }
  package var dropped: Int { streams.reduce(0) { $0 + $1.dropped } }
  /// Readings that an earlier run had left for it, and that could not be read.
  package var lostOfEarlierRun: Int { (spill?.lostOfEarlierRun ?? 0) + (sending?.lostOfEarlierRun ?? 0) }
}
