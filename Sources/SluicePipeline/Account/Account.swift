public import SluiceDevices

/// What became of every reading of a recording or a replay.
///
/// Use it after ``Recording/wait()``, or meanwhile from ``Recording/account``. Each reading that was received is written,
/// dropped, left out, discarded or not written: ``unaccounted`` is 0 once the recording has ended.
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

  /// What made it.
  public enum Command: String, Codable, Sendable { case record, replay }

  public var command: Command
  /// How long it took.
  public var seconds: Double
  public var streams: [StreamAccount]
  /// What each output has of them.
  public var outputs: [OutputAccount]
  /// Readings that never reached the pipeline.
  public var losses: [Loss]
  /// How much of what was lost before reception would show.
  public var lossesShown = DeviceLosses.Coverage.all
  /// The streams of which no loss would show, if it would of others.
  public var unseen: [String] = []
  /// The stages that left readings out.
  public var leftOutBy: [String] = []
  /// What a replay is made from; nil for a recording.
  public var trace: ReplayedTrace?
  /// It was stopped by somebody: of a trace, not everything was replayed.
  public var wasStopped = false
  /// Errors of sources and outputs, as sentences.
  public var errors: [String] = []

  package init(
    command: Command = .record, streams: [StreamAccount], outputs: [OutputAccount] = [], losses: [Loss],
    lossesShown: DeviceLosses.Coverage = .all, unseen: [String] = [], trace: ReplayedTrace? = nil,
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

  public var received: Int { sum(\.received) }
  public var written: Int { sum(\.written) }
  /// Came after readings of a later time had been let go of.
  public var late: Int { sum(\.late) }
  /// By full buffers.
  public var dropped: Int { sum(\.dropped) }
  /// By stages that were told to.
  public var suppressed: Int { sum(\.suppressed) }
  /// During pauses.
  public var discarded: Int { sum(\.discarded) }
  /// After errors of the outputs, or because no output can hold them.
  public var unwritten: Int { sum(\.unwritten) }
  /// 0 once everything has gone its way.
  public var unaccounted: Int { sum(\.unaccounted) }
  /// Readings that nobody chose to leave out: here, or when the trace was recorded.
  public var lost: Int { losses.reduce(dropped + unwritten) { $1.countsReadings ? adding($0, $1.count) : $0 } }
  /// A source or an output failed, so that there is no verdict on what was lost.
  public var hasFailed: Bool { !errors.isEmpty }

  private func sum(_ path: KeyPath<StreamAccount, Int>) -> Int { streams.reduce(0) { $0 + $1[keyPath: path] } }

  /// Estimates may be as large as a device likes to make them.
  func adding(_ a: Int, _ b: Int) -> Int {
    let (sum, isOverflow) = a.addingReportingOverflow(b)
    return isOverflow ? .max : sum
  }
}

extension Account: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, command, seconds
    case received, written, late, dropped, suppressed, discarded, unwritten, unaccounted, lost
    case streams, outputs, losses
    case lossesShown = "losses_shown"
    case unseen
    case leftOutBy = "left_out_by"
    case trace
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
    // Sums are not read: they are those of the streams.
    streams = try members.decode([StreamAccount].self, forKey: .streams)
    outputs = try members.decode([OutputAccount].self, forKey: .outputs)
    losses = try members.decode([Loss].self, forKey: .losses)
    lossesShown = try members.decode(DeviceLosses.Coverage.self, forKey: .lossesShown)
    unseen = try members.decodeIfPresent([String].self, forKey: .unseen) ?? []
    leftOutBy = try members.decodeIfPresent([String].self, forKey: .leftOutBy) ?? []
    trace = try members.decodeIfPresent(ReplayedTrace.self, forKey: .trace)
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
      (.discarded, discarded), (.unwritten, unwritten), (.unaccounted, unaccounted), (.lost, lost),
    ]
    for (key, sum) in sums { try members.encode(sum, forKey: key) }
    try members.encode(streams, forKey: .streams)
    try members.encode(outputs, forKey: .outputs)
    try members.encode(losses, forKey: .losses)
    try members.encode(lossesShown, forKey: .lossesShown)
    if !unseen.isEmpty { try members.encode(unseen, forKey: .unseen) }
    if !leftOutBy.isEmpty { try members.encode(leftOutBy, forKey: .leftOutBy) }
    try members.encodeIfPresent(trace, forKey: .trace)
    try members.encode(wasStopped, forKey: .wasStopped)
    try members.encode(errors, forKey: .errors)
  }

  package var json: JSON {
    // Nothing that an account has refuses to be encoded.
    (try? JSON(encoding: self)) ?? .null
  }
}

/// The share of one output: `walk.csv`.
public struct OutputAccount: Hashable, Sendable, Codable {
  /// As it was given.
  public var output: String
  public var format: String
  public var streams: [Stream]
  /// Why it ended before the others, and when that was found out.
  public var error: String?
  public var since: Int64?

  /// What it has of one stream.
  public struct Stream: Hashable, Sendable, Codable {
    public var stream: String
    public var written: Int
    /// After an error, or because its format cannot hold them.
    public var unwritten: Int
  }

  private enum CodingKeys: String, CodingKey {
    case output, format, streams, error
    case since = "since_ns"
  }

  package var written: Int { streams.reduce(0) { $0 + $1.written } }
  package var unwritten: Int { streams.reduce(0) { $0 + $1.unwritten } }
}
