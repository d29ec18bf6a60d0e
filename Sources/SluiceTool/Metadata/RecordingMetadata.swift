import SluiceDevices
import SluiceRecording

/// What is to be known of a recording beside its rows: the columns of its files, where their values come from, what
/// became of the readings, and what is missing.
struct RecordingMetadata {
  /// `record` or `replay`, and what was said behind it.
  var command: String
  var arguments: [String]
  var operators: OperatorOptions
  /// Of each stream's buffer, which may not have been said.
  var bufferSize: Int
  /// Values are written without offset and scale.
  var raw: Bool
  var streams: [StreamDescription]
  /// By stream, whether its values are whole numbers before offset and scale.
  var isWhole: [Bool]
  var host: Host
  var version: String
  var began: Instant
  /// Times are the monotonic clock's with an offset, and not those of a trace.
  var isLive: Bool

  /// A moment by the wall clock, and what was to be added to the monotonic clock then.
  struct Instant: Hashable {
    var time: Int64
    var monotonicOffset: Int64

    static func now(_ clock: EpochClock = EpochClock()) -> Instant {
      Instant(time: clock.now, monotonicOffset: clock.offset)
    }
  }

  /// How it ended.
  struct Outcome {
    var ended: Instant
    var accounts: [StreamAccount]
    var flagged: [FlaggedReadings]
    /// Of each source, which the streams of these numbers have in common.
    var losses: [(streams: Range<Int>, losses: [Loss])]
    /// How much of what was lost shows.
    var coverage: DeviceLosses.Coverage
    var errors: [SluiceError]
  }
}
