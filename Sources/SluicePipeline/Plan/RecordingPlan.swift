public import SluiceRecording

/// The plan of a recording: sources or a trace, stages, outputs and limits. It opens nothing.
///
/// Use it to keep a recording in a file, to make one in a program, or to see what a command line means
/// (`sluice plan json record ...`). Its JSON is described in docs/Plan.md.
///
/// ```swift
/// var plan = RecordingPlan(
///   sources: [try SourceSpec("walk=iio:bmi160:accel_x,sample-rate=400,reconnect")],
///   stages: [.buffer(), .throttle(for: .milliseconds(100))],
///   outputs: [OutputPlan("walk.csv")])
/// plan.limits.duration = .seconds(90)
/// try plan.validate()
/// print(plan.text)
/// ```
///
/// Two plans are equal if their JSON is the same:
/// `try RecordingPlan(json: Array(plan.text.utf8), name: "copy") == plan`.
public struct RecordingPlan: Hashable, Sendable {
  /// The name of the recording, such as `greenhouse`: 1 to 48 bytes without a slash or a character that does not show, not beginning with `.` or `-`.
  /// Nil for none.
  public var name: String?
  /// What is read: sources, or a trace.
  public var input: Input
  /// The stages of all readings, in the order in which they pass them. Without a ``StagePlan/buffer(_:whenFull:)``, nothing is
  /// buffered.
  public var stages: [StagePlan]
  /// The outputs: at least one, each with a different path.
  public var outputs: [OutputPlan]
  /// The conditions that end the recording.
  public var limits = Limits()
  /// The sync policy of the outputs. Nil is once per second; for a replay it is never, because its trace still exists.
  public var sync: SyncPolicy?
  /// The effect of a pause on readings. Not for a replay.
  public var pauseMode = PauseMode.hold
  /// Where readings that an output does not take wait on the disk; nil for the defaults. Not for a replay.
  public var spill: SpillPlan?
  /// How readings are sent to outputs that are servers; nil for the defaults.
  public var sending: SendingPlan?
  /// Whether the recording begins paused. Not for a replay.
  public var startPaused = false
  /// Notes for the metadata, each key once.
  public var notes: [Note] = []

  /// The newest version of the JSON that this release reads. A plan that needs nothing of it is written as version 1.
  public static let version = 2

  /// The version of its JSON: 2 if it has a name, or if a source or an output has stages of its own.
  var version: Int { placeOfVersion2 == nil ? 1 : 2 }

  /// The first place that version 1 does not have; nil if there is none.
  var placeOfVersion2: String? {
    if name != nil { return "name" }
    if pauseMode == .spill { return "pause-mode" }
    if spill != nil { return "spill" }
    if sending != nil { return "sending" }
    if let stage = stages.firstIndex(where: { ($0.stage as? BufferStage)?.whenFull == .spill }) {
      return "stages[\(stage)].when-full"
    }
    if let source = sources.firstIndex(where: { !$0.stages.isEmpty }) { return "sources[\(source)].stages" }
    for (index, output) in outputs.enumerated() {
      if let key = output.keyOfVersion2 { return "outputs[\(index)].\(key)" }
    }
    return nil
  }

  /// The largest number of bytes of a ``name``: with it, the path of a socket still fits into a usual folder.
  package static let longestName = 48

  /// Why a text cannot be the ``name`` of a recording, and of a file; nil if it can.
  package static func nameFault(_ text: String) -> String? {
    if text.isEmpty { return "it has no character" }
    if text.utf8.count > longestName { return "it has more than \(longestName) bytes" }
    if text.utf8.contains(UInt8(ascii: "/")) { return "it has a slash" }
    if text.utf8.first == UInt8(ascii: ".") { return "it begins with a dot" }
    if text.utf8.first == UInt8(ascii: "-") { return "it begins like an option" }
    let doesNotShow: (Unicode.Scalar) -> Bool = { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    return text.unicodeScalars.contains(where: doesNotShow) ? "it has a character that does not show" : nil
  }

  /// A recording or a replay.
  public init(input: Input, stages: [StagePlan] = [], outputs: [OutputPlan]) {
    self.input = input
    self.stages = stages
    self.outputs = outputs
  }

  /// A recording from devices.
  public init(sources: [SourceSpec], stages: [StagePlan] = [], outputs: [OutputPlan]) {
    self.init(input: .sources(sources.map { SourcePlan($0) }), stages: stages, outputs: outputs)
  }

  /// A replay of a trace.
  public init(replay: ReplayPlan, stages: [StagePlan] = [], outputs: [OutputPlan]) {
    self.init(input: .trace(replay), stages: stages, outputs: outputs)
  }

  /// What a recording reads.
  ///
  /// ```swift
  /// plan.input = .trace(ReplayPlan("walk.csv"))
  /// ```
  public enum Input: Hashable, Sendable {
    /// Devices, in the order of their streams: at least one.
    case sources([SourcePlan])
    /// A recorded trace, which is replayed.
    case trace(ReplayPlan)
  }

  /// The sources, in the order of their streams; empty for a replay.
  public var sources: [SourcePlan] { if case .sources(let sources) = input { sources } else { [] } }

  /// The trace that is replayed; nil for a recording from sources.
  public var replay: ReplayPlan? { if case .trace(let replay) = input { replay } else { nil } }

  /// The limits of a recording: when it ends, and how many readings it may lose.
  ///
  /// ```swift
  /// plan.limits = RecordingPlan.Limits(duration: .seconds(90), maxLoss: 0)
  /// ```
  public struct Limits: Hashable, Sendable {
    /// The duration of the recording; for a replay see ``ReplayPlan/duration``.
    public var duration: TimeSpan?
    /// The number of readings, 1 or more. Not for a replay.
    public var count: Int?
    /// The recording ends if no reading has come for this time. Not for a replay.
    public var idleTimeout: TimeSpan?
    /// The time for writing the received readings after a stop. If some are still not written after it, the recording
    /// has failed.
    public var grace = Limits.standardGrace
    /// The recording ends, or does not begin, if the disk of an output has less free space; nil for no limit.
    public var minFree: ByteSize?
    /// The recording has failed if more readings than this are lost, 0 or more; nil for no limit.
    public var maxLoss: Int?
    /// The recording does not begin if the wall clock may be wrong by more than this, or is not synchronised. While it is
    /// worse during the recording, readings are flagged (`Reading.Flags.uncertainTime`), and the metadata says when that
    /// was. Nil for no limit. Not for a replay.
    public var maxClockError: TimeSpan?

    /// 10 seconds.
    public static let standardGrace = TimeSpan.seconds(10)

    /// Sets the limits; nil for none.
    public init(
      duration: TimeSpan? = nil, count: Int? = nil, idleTimeout: TimeSpan? = nil,
      grace: TimeSpan = Limits.standardGrace, minFree: ByteSize? = nil, maxLoss: Int? = nil,
      maxClockError: TimeSpan? = nil
    ) {
      self.duration = duration
      self.count = count
      self.idleTimeout = idleTimeout
      self.grace = grace
      self.minFree = minFree
      self.maxLoss = maxLoss
      self.maxClockError = maxClockError
    }
  }

  /// A note about a recording, for its metadata: `site`, `Cellar, left wall`.
  ///
  /// ```swift
  /// plan.notes = [RecordingPlan.Note(key: "site", value: "Cellar, left wall")]
  /// ```
  public struct Note: Hashable, Sendable {
    /// The key, not empty.
    public var key: String
    /// The text of the note.
    public var value: String

    /// Makes a note.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }
}
