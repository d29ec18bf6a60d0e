public import SluiceRecording

/// A recording before it begins: its sources or trace, its stages, its outputs, and when it ends. It opens nothing.
///
/// Use it to keep a recording in a file, to make one in a program, or to see what a command line means
/// (`sluice record ... --print-plan`). Its JSON is described in docs/Plan.md.
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
/// Two plans are equal if they say the same; `try RecordingPlan(json: Array(plan.text.utf8), name: "copy") == plan`.
public struct RecordingPlan: Hashable, Sendable {
  /// What is recorded, in the order of the streams; empty if a trace is replayed.
  public var sources: [SourceSpec]
  /// The trace that is replayed instead of sources.
  public var replay: ReplayPlan?
  /// The stages that readings pass, in this order. Without a ``StagePlan/buffer(_:whenFull:)`` nothing is kept.
  public var stages: [StagePlan]
  /// At least one, each to a path of its own.
  public var outputs: [OutputPlan]
  /// What ends the recording.
  public var limits = Limits()
  /// When what was written is made to be on the disk. Nil for each second, or of a replay, whose trace is there still, for
  /// never.
  public var sync: SyncPolicy?
  /// What a pause does with readings. Not for a replay.
  public var pauseMode = PauseMode.hold
  /// Whether it begins paused. Not for a replay.
  public var startPaused = false
  /// Notes for the metadata, each key once.
  public var notes: [Note] = []

  /// The version of the JSON that is written, and the newest that is read.
  public static let version = 1

  /// A recording from devices.
  public init(sources: [SourceSpec], stages: [StagePlan] = [], outputs: [OutputPlan]) {
    self.sources = sources
    self.stages = stages
    self.outputs = outputs
  }

  /// A replay of a trace.
  public init(replay: ReplayPlan, stages: [StagePlan] = [], outputs: [OutputPlan]) {
    sources = []
    self.replay = replay
    self.stages = stages
    self.outputs = outputs
  }

  /// When a recording ends, and how much of it may be lost.
  ///
  /// ```swift
  /// plan.limits = RecordingPlan.Limits(duration: .seconds(90), maxLoss: 0)
  /// ```
  public struct Limits: Hashable, Sendable {
    /// How long it records; for a replay see ``ReplayPlan/duration``.
    public var duration: TimeSpan?
    /// How many readings it records, 1 or more. Not for a replay.
    public var count: Int?
    /// The recording ends when no reading has come for this time. Not for a replay.
    public var idleTimeout: TimeSpan?
    /// How long what was received may take to be written after a stop. What is not written by then is left, and the
    /// recording has failed.
    public var grace = Limits.standardGrace
    /// The recording ends when less is free on the disk of an output, and does not begin then; nil for any amount.
    public var minFree: ByteSize?
    /// How many readings may be lost before it counts as failed, 0 or more; nil for any number.
    public var maxLoss: Int?

    /// 10 seconds.
    public static let standardGrace = TimeSpan.seconds(10)

    /// Sets the limits; nil for none.
    public init(
      duration: TimeSpan? = nil, count: Int? = nil, idleTimeout: TimeSpan? = nil,
      grace: TimeSpan = Limits.standardGrace, minFree: ByteSize? = nil, maxLoss: Int? = nil
    ) {
      self.duration = duration
      self.count = count
      self.idleTimeout = idleTimeout
      self.grace = grace
      self.minFree = minFree
      self.maxLoss = maxLoss
    }
  }

  /// A note about a recording, for its metadata: `site`, `Cellar, left wall`.
  ///
  /// ```swift
  /// plan.notes = [RecordingPlan.Note(key: "site", value: "Cellar, left wall")]
  /// ```
  public struct Note: Hashable, Sendable {
    /// Not empty.
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
