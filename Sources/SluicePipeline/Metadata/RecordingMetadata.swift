package import SluiceReadings
package import SluiceRecording

/// The metadata of a recording: the columns of its files, the origin of their values, the account of the readings, and
/// the losses.
package struct RecordingMetadata {
  /// The command, such as `record`.
  package var command: String
  package var arguments: [String]
  /// The plan with the computed sizes of its buffers; nil if there was no plan.
  package var plan: WrittenPlan?
  /// By output, its streams.
  package var streams: [[StreamDescription]]
  /// By output and stream, whether its values are whole numbers before offset and scale.
  package var isWhole: [[Bool]]
  package var host: Host
  package var version: String
  package var began: Instant
  /// The replayed trace; nil for a recording, because its times are those of the monotonic clock plus an offset.
  package var trace: ReplayedTrace?
  /// The restarts of the recording that is replayed.
  package var restarts: [TraceMetadata.Restart] = []
  /// The marks of the replayed trace, or those of the run so far.
  package var marks: [Mark] = []
  /// What was changed of the plan while it ran.
  package var planChanges: [PlanChange] = []
  package var clockChanges = ClockChanges()
  /// The totals at the start of the run, or of a part of it. If it is cut off, the next run continues from them.
  package var totals: [TraceMetadata.Total] = []

  /// A plan as the metadata has it. Its JSON is made once, because each part has it.
  package struct WrittenPlan {
    package let json: String
    package let notes: [RecordingPlan.Note]

    package init(_ plan: RecordingPlan) { (json, notes) = (plan.json.text, plan.notes) }
  }

  /// A time of the wall clock, and its offset from the monotonic clock.
  package struct Instant: Equatable {
    package var time: Int64
    package var monotonicOffset: Int64
    /// Whether the wall clock is synchronised; nil if the system does not say.
    package var isSynchronised: Bool?
    /// The errors of the wall clock; nil if the system does not say.
    package var errors: TraceMetadata.ClockErrors?

    package static func now(_ clock: EpochClock = EpochClock()) -> Instant {
      Instant(time: clock.now, monotonicOffset: clock.offset)
    }
  }

  /// What was taken over from a plan that was read again.
  package struct PlanChange: Equatable, Sendable {
    package var time: Int64
    /// Each as a sentence.
    package var changed: [String]

    /// The largest number that a recording keeps: the last ones.
    static let limit = 100
  }

  /// The outcome of a run.
  package struct Outcome {
    package var ended: Instant
    /// By output, the streams that were known at the end.
    package var streams: [[StreamDescription]]
    /// The accounts of the streams, by output.
    package var accounts: [[StreamAccount]]
    /// The flagged readings of the streams, by output.
    package var flagged: [[StreamFlags]]
    package var losses: [Loss]
    /// Whether none, some or all of the losses show; nil if that is not known for a trace.
    package var coverage: LossCoverage?
    package var pauses: [Pause] = []
    package var marks: [Mark] = []
    /// The last totals that the stages have made.
    package var totals: [TraceMetadata.Total] = []
    package var errors: [SluiceError]
    /// Whether an error ended the replayed trace before its last row.
    package var isTraceCutShort = false
    /// By output, whether it was abandoned before it was finished; empty if none was.
    package var abandoned: [Bool] = []
  }
}
