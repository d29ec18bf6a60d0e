public import SluiceReadings

/// The content of the metadata file of a trace, `NAME.csv-metadata.json`: its streams, its state and its losses.
///
/// ```swift
/// if let metadata = try TraceMetadata(beside: "walk.csv") { print(metadata.missed) }
/// ```
///
/// Use it to show or to copy the facts that are not in the rows. A ``TraceReader`` reads it by itself. Members that the
/// file does not have are nil. Times are nanoseconds since the epoch. It is a value, for any thread.
public struct TraceMetadata: Hashable, Sendable {
  /// Whether the recording was finished or cut off.
  public enum State: String, Codable, Sendable { case unfinished, finished }

  /// Whether values are as the device gave them, or with scale and offset applied.
  public enum Written: String, Codable, CaseIterable, Sendable { case raw, scaled }

  /// The trace of a replay.
  public struct Origin: Hashable, Sendable {
    /// The path of the trace.
    public var file: String?
    /// Whether the recording of the trace was finished.
    public var state: State?
  }

  /// The path of the metadata file; the first path if there are several.
  public var path: String
  /// The titles of the columns in the header; nil for a format without columns.
  public var titles: [String]?
  /// The format of the file: `csv`.
  public var format: String?
  /// The version of the command that wrote the trace.
  public var version: String?
  /// Whether the recording was finished or cut off.
  public var state: State?
  /// The format of the times of its rows.
  public var time = RowTime.nanoseconds
  /// The time from which relative times count; nil for other times, and if the recording was killed.
  public var timeZero: Int64?
  /// The number of decimals that values were rounded to; nil if they have all digits.
  public var decimals: Int?
  /// Whether the values have offset and scale applied.
  public var values: Written?
  /// The streams in the order of their columns. `StreamDescription.isScaled` agrees with ``values``.
  public var streams: [StreamDescription]?
  /// Readings lost before reception.
  public var losses: [Loss]?
  /// How many of the losses would show.
  public var lossesShown: LossCoverage?
  /// Readings that follow a gap.
  public var gapBefore: [FlaggedReadings]?
  /// Readings with the initial level of a line.
  public var initialLevel: [FlaggedReadings]?
  /// Readings that came late.
  public var late: [FlaggedReadings]?
  /// Readings whose time may be wrong, because the wall clock was set at about it; nil if there are none.
  public var uncertainTime: [FlaggedReadings]?
  /// Readings that may be in the file twice, because a run was killed while its spill was written; nil if there are none.
  public var possibleDuplicate: [FlaggedReadings]?
  /// Edges with the same level as the edge before, so that one of the two may be wrong; nil if there are none.
  public var uncertainLevel: [FlaggedReadings]?
  /// The account of each stream.
  public var ledger: [StreamAccount]?
  /// The pauses of the recording.
  public var pauses: [Pause]?
  /// The moments of the recording that were marked.
  public var marks: [Mark]?
  /// The trace from which this one was replayed.
  public var trace: Origin?
  /// The number of earlier recordings into the same trace. The file beside it, `NAME.csv-runs.jsonl`, has their
  /// metadata.
  public var earlierRuns = 0
  /// Errors of sources and files, in this trace or in the trace from which it was replayed.
  public var errors: [String]?
  /// The start of the run by the wall clock. It distinguishes runs into the same file.
  package var began: Int64?
  /// The length of the file at the start of the run. All earlier bytes were on the disk.
  package var beganAtByte: Int64?
  /// Whether a run into this file was cut off; in a replay, the state of its own trace does not matter.
  package var hasUnfinishedRun = false
  /// Whether the file had earlier rows without metadata.
  public var hasUndescribedRows = false
  /// The repair of the file after the last run was killed; nil if there was none.
  package var repaired: Repair?
  /// Whether the recording, or one of several into the same file, was cut off.
  public var isCutOff = false
  /// The runs that wrote the file, in the order of their rows.
  public var runs: [Run] = [Run()]
  /// The times between the runs of this recording, and of the recording that was replayed into it.
  public var restarts: [Restart] = []
  /// The totals at the end of the last run.
  public var totals: [Total] = []
  /// The plan of its last run, as JSON.
  package var plan: String?

  /// Readings that the recording is known to have lost: before reception, by a full buffer, or after an error. Readings
  /// left out on purpose, by throttling or a pause, do not count.
  public var missed: Int {
    let lost = (losses ?? []).lazy.filter { $0.countsReadings }.map(\.count)
    let left = (ledger ?? []).lazy.flatMap { [$0.dropped, $0.unwritten] }
    // Counts may have any size, because devices estimate some of them.
    return (Array(lost) + Array(left)).reduce(0) { sum, count in
      let (sum, isOverflow) = sum.addingReportingOverflow(count)
      return isOverflow ? .max : sum
    }
  }
}

extension TraceMetadata {
  /// The time from which the times of its rows count.
  var zero: Int64 { time == .relative ? timeZero ?? 0 : 0 }

  /// The message that the time of the first reading is not known; nil if it is known, or if there is no reading.
  var zeroNotice: String? {
    guard time == .relative, timeZero == nil else { return nil }
    if state == .finished, let ledger, ledger.allSatisfy({ $0.written == 0 }) { return nil }
    return "\(path): it does not have the time of the first reading, so times count from 1970"
  }
}
