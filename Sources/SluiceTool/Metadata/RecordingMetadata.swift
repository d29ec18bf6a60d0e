import SluiceDevices
import SluiceReadings
import SluiceRecording

/// What is to be known of a recording beside its rows: the columns of its files, where their values come from, what
/// became of the readings, and what is missing.
struct RecordingMetadata {
  /// `record` or `replay`, and its arguments.
  var command: String
  var arguments: [String]
  var operators: Operators
  /// Of each stream's buffer.
  var bufferSize: Int
  /// Values are written without offset and scale.
  var raw: Bool
  var streams: [StreamDescription]
  /// By stream, whether its values are whole numbers before offset and scale.
  var isWhole: [Bool]
  var host: Host
  var version: String
  var began: Instant
  /// What a replay is made from; nil for a recording, whose times are the monotonic clock's with an offset.
  var trace: ReplayedTrace?

  /// A moment by the wall clock, and what was to be added to the monotonic clock then.
  struct Instant: Hashable {
    var time: Int64
    var monotonicOffset: Int64

    static func now(_ clock: EpochClock = EpochClock()) -> Instant {
      Instant(time: clock.now, monotonicOffset: clock.offset)
    }
  }

  /// What describes the rows that were in a file before.
  struct Earlier: Hashable {
    /// Metadata of earlier recordings, without folder, the newest last.
    var files: [String] = []
    /// Nothing describes them, or some of them.
    var hasUndescribedRows = false
  }

  /// How it ended.
  struct Outcome {
    var ended: Instant
    /// Those that there were in the end.
    var streams: [StreamDescription]
    var accounts: [StreamAccount]
    var flagged: [FlaggedReadings]
    var losses: [Loss]
    /// How much of what was lost shows; nil if that is not known of a trace.
    var coverage: DeviceLosses.Coverage?
    var pauses: [TraceMetadata.Pause] = []
    var errors: [SluiceError]
  }
}
