public import SluiceReadings

/// What the file beside a trace, `NAME.csv-metadata.json`, says of it: streams, how it ended, and what is missing.
///
/// ```swift
/// if let metadata = try TraceMetadata(beside: "walk.csv") { print(metadata.missed) }
/// ```
///
/// Use it to show or to carry on what a recording knows beyond its rows; a ``TraceReader`` reads it by itself. What the
/// file does not say is nil. Times are nanoseconds since the epoch. A value, for any thread.
public struct TraceMetadata: Hashable, Sendable {
  /// Whether the recording came to its end; one that was killed did not.
  public enum State: String, Codable, Sendable { case unfinished, finished }

  /// What the values of the rows are: as the device gave them, or with scale and offset applied.
  public enum Written: String, Codable, CaseIterable, Sendable { case raw, scaled }

  /// How much of what was lost would show.
  public enum LossCoverage: String, CaseIterable, Sendable { case none, some, all }

  /// One sign by which it is known that something is missing.
  public struct Loss: Hashable, Sendable {
    /// What a loss counts.
    public enum Unit: Hashable, Sendable {
      case readings
      /// For example removals of a device: nobody knows how many readings each of them cost.
      case occasions
    }

    /// Those that share the count.
    public var streams: [String]
    /// How it is known: `lost in the kernel`.
    public var reason: String
    /// How many there were.
    public var count: Int
    /// What is counted.
    public var unit: Unit
    /// Each occasion may have cost readings that nothing else counts.
    public var isUncounted = false
    /// When the first and the last were found out.
    public var first: Int64?
    /// When the last loss was found out.
    public var last: Int64?
  }

  /// Readings of one stream that have a flag.
  public struct Flagged: Hashable, Sendable {
    /// The name of the stream.
    public var stream: String
    /// How many there are; times are listed of the first 1,000.
    public var count: Int
    /// The times of the first 1,000.
    public var times: [Int64]
  }

  /// What became of the readings of one stream.
  public struct Account: Hashable, Sendable {
    /// The name of the stream.
    public var stream: String
    /// All readings that came.
    public var received: Int
    /// Readings that were written.
    public var written: Int
    /// By a full buffer.
    public var dropped: Int
    /// By the user's own operators.
    public var suppressed: Int
    /// By stages, to make others.
    public var used = 0
    /// By stages, of others.
    public var made = 0
    /// While paused.
    public var discarded: Int
    /// After an error of the file.
    public var unwritten: Int
  }

  /// A time during which the recording was paused.
  public struct Pause: Hashable, Sendable {
    /// When it began.
    public var from: Int64
    /// Nil if it was not resumed.
    public var to: Int64?

    package init(from: Int64, to: Int64?) {
      self.from = from
      self.to = to
    }
  }

  /// What a replay was made from.
  public struct Origin: Hashable, Sendable {
    /// The path of the trace.
    public var file: String?
    /// Whether the trace's recording came to its end.
    public var state: State?
  }

  /// The file that says so; the first, where it is of several.
  public var path: String
  /// The columns, as they are to stand in the header; nil for what has none.
  public var titles: [String]?
  /// The format of the file: `csv`.
  public var format: String?
  /// Of the command that wrote the trace.
  public var version: String?
  /// Whether the recording came to its end.
  public var state: State?
  /// How the times of its rows are written.
  public var time = RowTime.nanoseconds
  /// The time from which relative times count; nil for other times, and if the recording was killed.
  public var timeZero: Int64?
  /// The number of decimals that values were rounded to; nil if they have all digits.
  public var decimals: Int?
  /// What the values of the rows are.
  public var values: Written?
  /// In the order of their columns, with `StreamDescription.isScaled` as ``values`` says.
  public var streams: [StreamDescription]?
  /// Readings that were lost before they were received.
  public var losses: [Loss]?
  /// How much of what was lost would show.
  public var lossesShown: LossCoverage?
  /// Readings before which something is missing.
  public var gapBefore: [Flagged]?
  /// Readings that are the level of a line at the beginning.
  public var initialLevel: [Flagged]?
  /// Readings that came late.
  public var late: [Flagged]?
  /// What became of the readings, per stream.
  public var ledger: [Account]?
  /// When the recording was paused.
  public var pauses: [Pause]?
  /// What this trace was replayed from.
  public var trace: Origin?
  /// How many recordings into the same trace there were before; the file beside it, `NAME.csv-runs.jsonl`, has theirs.
  public var earlierRuns = 0
  /// Errors of a source or a file, of this trace or of the one that it was replayed from.
  public var errors: [String]?
  /// When the run began, by the wall clock: what tells it from other runs into the same file.
  package var began: Int64?
  /// The length of the file when it began. Everything before was on the disk.
  package var beganAtByte: Int64?
  /// Whether one of the runs into this file had no end; of a replay, whatever its trace was.
  package var hasUnfinishedRun = false
  /// Some rows stood in the file before, and had no metadata.
  public var hasUndescribedRows = false
  /// Whether the recording did not come to its end, or one of several into the same file.
  public var isCutOff = false
  /// The starts of the command that have written the file, in the order of their rows.
  public var runs: [Run] = [Run()]

  /// Readings that the recording is known to have missed: lost before they were received, dropped, or not written after
  /// an error. What was throttled or discarded was meant to be left out.
  public var missed: Int {
    let lost = (losses ?? []).lazy.filter { $0.unit == .readings }.map(\.count)
    let left = (ledger ?? []).lazy.flatMap { [$0.dropped, $0.unwritten] }
    // Estimates may be as large as a device likes to make them.
    return (Array(lost) + Array(left)).reduce(0) { sum, count in
      let (sum, isOverflow) = sum.addingReportingOverflow(count)
      return isOverflow ? .max : sum
    }
  }
}

extension TraceMetadata {
  /// The time from which the times of its rows count.
  var zero: Int64 { time == .relative ? timeZero ?? 0 : 0 }

  /// The message that the time of the first reading is not known; nil if it is known.
  var zeroNotice: String? {
    guard time == .relative, timeZero == nil else { return nil }
    return "\(path): it does not have the time of the first reading, so times count from 1970"
  }
}
