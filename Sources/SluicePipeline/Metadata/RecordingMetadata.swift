package import SluiceDevices
package import SluiceReadings
package import SluiceRecording

/// What is to be known of a recording beside its rows: the columns of its files, where their values come from, what
/// became of the readings, and what is missing.
package struct RecordingMetadata {
  /// `record` or `replay`, and its arguments.
  package var command: String
  package var arguments: [String]
  /// With the sizes that buffers were given; nil if there was no plan.
  package var plan: RecordingPlan?
  package var streams: [StreamDescription]
  /// By stream, whether its values are whole numbers before offset and scale.
  package var isWhole: [Bool]
  package var host: Host
  package var version: String
  package var began: Instant
  /// What a replay is made from; nil for a recording, whose times are the monotonic clock's with an offset.
  package var trace: ReplayedTrace?
  package var clockChanges = ClockChanges()

  /// A moment by the wall clock, and what was to be added to the monotonic clock then.
  package struct Instant: Hashable {
    package var time: Int64
    package var monotonicOffset: Int64
    /// What the system says of the wall clock; nil if it says nothing.
    package var isSynchronised: Bool?

    package static func now(_ clock: EpochClock = EpochClock()) -> Instant {
      Instant(time: clock.now, monotonicOffset: clock.offset)
    }
  }

  /// How it ended.
  package struct Outcome {
    package var ended: Instant
    /// Those that there were in the end.
    package var streams: [StreamDescription]
    /// By output.
    package var accounts: [[StreamAccount]]
    package var flagged: [FlaggedReadings]
    package var losses: [Loss]
    /// How much of what was lost shows; nil if that is not known of a trace.
    package var coverage: DeviceLosses.Coverage?
    package var pauses: [TraceMetadata.Pause] = []
    package var errors: [SluiceError]
    /// Whether an error has ended the trace that is replayed before its last row.
    package var isTraceCutShort = false
    /// By output, whether it was given up before it was finished; empty if none was.
    package var abandoned: [Bool] = []
  }
}
