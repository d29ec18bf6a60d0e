import Sluice
public import SluiceReadings
import Synchronization

/// Reads a recorded trace. It may be CSV or JSON Lines of this library or of other programs, a value change dump, or
/// the output of gpiomon. CSV needs a header row, one time column, and numbers. Levels in CSV of Saleae Logic 2 become
/// edges.
///
/// ```swift
/// let trace = try TraceReader(path: "walk.csv")
/// while let reading = try trace.next() { print(reading.time, reading.values[0]) }
/// ```
///
/// Times become nanoseconds, rounded to the nearest; values keep all their digits. An empty cell and `nan` are missing
/// values. Times may go backwards. The time column, its unit and the columns with numbers are detected from the trace,
/// unless ``TraceFormat`` gives them.
///
/// Names, units, scales and flags come from the metadata file of the trace, ``TraceMetadata``, if there is one. Without
/// it, columns such as `imu.x` and `imu.y` are channels of one stream. If no column name has a dot, all columns are
/// channels of one stream. Both layouts of ``CSVLayout`` are read. A file of the long layout without metadata is read
/// twice, first for its streams. From a pipe, streams are found during the read.
///
/// A folder is read as one trace with all streams of its files, in the order of time. The command also reads databases,
/// sigrok sessions and compressed traces.
///
/// Only one thread at a time may use it, except for ``streams`` and ``isGrowing``. After it was given to
/// `Publishers.Replay`, only that publisher reads it.
public final class TraceReader {
  /// The largest number of streams in a trace that is read once, such as a pipe.
  public static let limit = StreamLimit.pipe.count

  /// The path of the trace. If there are several, their paths are separated by commas.
  public let path: String
  /// The files of all traces.
  package let paths: [String]
  /// The metadata of the trace, or of all files of a folder; nil if there is none, as for standard input.
  public let metadata: TraceMetadata?
  /// The CSV layout; nil for a folder.
  package let layout: CSVLayout?
  /// Whether the rows have the flags of their readings.
  package let hasFlags: Bool
  /// All files of the trace.
  package let inputs: [TraceInput]

  private let decoder: any TraceDecoder
  private let skipped: SkippedRows?
  private let isTaken = Atomic(false)  // checked by the first owner while another thread reads on a queue

  /// - Parameters:
  ///   - path: A file, a folder of files, or `-` for standard input.
  ///   - times: Whether times are those of the rows, or corrected by the clock in the metadata. Gaps and flags stay at
  ///     their readings.
  ///   - skipsBad: Whether unreadable rows of CSV and JSON Lines are left out; see ``skippedRows``.
  ///   - warn: Called with each message for the user, such as that the last row is torn, on the thread that reads.
  ///   - isInterrupted: Asked every 50 ms during the wait for the header of a FIFO or of standard input. If it returns
  ///     true, the wait ends with an error with the `errno` EINTR.
  public convenience init(
    path: String, format: TraceFormat = TraceFormat(), times: TraceTimes = .recorded,
    skipsBad: Bool = false, warn: @escaping @Sendable (String) -> Void = { _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    try self.init(
      paths: [path], format: format, times: times, skipsBad: skipsBad, kinds: TraceKinds.all, warn: warn,
      isInterrupted: isInterrupted)
  }

  /// Reads one trace.
  package convenience init(
    path: String, format: TraceFormat = TraceFormat(), times: TraceTimes = .recorded, skipsBad: Bool = false,
    kinds: [any TraceKind.Type], compressions: [any Compression.Type] = [],
    changes: OpenTrace.Changes = OpenTrace.Changes(), warn: @escaping @Sendable (String) -> Void = { _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    try self.init(
      paths: [path], format: format, times: times, skipsBad: skipsBad, kinds: kinds, compressions: compressions,
      changes: changes, warn: warn, isInterrupted: isInterrupted)
  }

  /// - Parameters:
  ///   - paths: Traces that are merged by time. `-` may be there once.
  ///   - kinds: The possible kinds of trace, in the order in which they are tried.
  ///   - opens: Opens the file without reading its first bytes; if it is nil, `kinds` recognize the file.
  ///   - compressions: The compressions that are recognized.
  ///   - changes: Changes to the trace during the read.
  package convenience init(
    paths: [String], format: TraceFormat = TraceFormat(), times: TraceTimes = .recorded, skipsBad: Bool = false,
    kinds: [any TraceKind.Type], opens: OpenTrace.Opener? = nil, compressions: [any Compression.Type] = [],
    changes: OpenTrace.Changes = OpenTrace.Changes(), warn: @escaping @Sendable (String) -> Void = { _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    let options = OpenTrace.Options(
      format: format, times: times, skipped: skipsBad ? SkippedRows() : nil, kinds: kinds, opens: opens,
      compressions: compressions, warn: warn, isInterrupted: isInterrupted)
    self.init(paths, try OpenTrace(paths: paths, options, changes), options.skipped)
  }

  /// Reads a trace in memory.
  /// - Parameters:
  ///   - name: The name of the trace in errors.
  ///   - metadata: The content of the metadata file.
  package convenience init(
    _ bytes: [UInt8], name: String, metadata: [UInt8]? = nil, format: TraceFormat = TraceFormat(),
    times: TraceTimes = .recorded, skipsBad: Bool = false, compressions: [any Compression.Type] = [],
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SluiceError) {
    let options = OpenTrace.Options(
      format: format, times: times, skipped: skipsBad ? SkippedRows() : nil, kinds: TraceKinds.all,
      compressions: compressions, warn: warn)
    self.init([name], try OpenTrace(bytes, name: name, metadata: metadata, options), options.skipped)
  }

  private init(_ paths: [String], _ trace: OpenTrace, _ skipped: SkippedRows?) {
    self.skipped = skipped
    self.paths = paths
    path = paths.joined(separator: ", ")
    metadata = trace.metadata
    layout = trace.layout
    inputs = trace.inputs
    hasFlags = trace.hasFlags
    decoder = trace.decoder
  }

  /// The streams of the trace, in the order of their `StreamID`. For any thread.
  public var streams: [StreamDescription] { decoder.list.streams }

  /// Whether streams, or channels of streams, may still be added during the read. A reading has values of the channels
  /// that were known when it was complete. For any thread.
  public var isGrowing: Bool { decoder.list.isGrowing }

  /// The number of unreadable rows left out so far, and the fault of the first. For any thread.
  public var skippedRows: (count: Int, first: SluiceError?) { (skipped?.count ?? 0, skipped?.first) }
  /// The count alone, as a closure; nil if no rows are left out.
  package var skippedCount: (@Sendable () -> Int)? {
    guard let skipped else { return nil }
    return { skipped.count }
  }

  /// Returns the streams known so far, on any thread; nil if no more may come.
  package var moreStreams: (@Sendable () -> [StreamDescription])? {
    let list = decoder.list
    guard list.isGrowing else { return nil }
    return { list.streams }
  }

  /// Reads the next reading; nil at the end.
  public func next() throws(SluiceError) -> Reading? {
    var readings = [Reading.empty]
    return try next(into: &readings) == 1 ? readings[0] : nil
  }

  /// Reads the next readings. It waits only for the first, and returns those that are available; none at the end.
  ///
  /// ```swift
  /// var readings = [Reading](repeating: Reading(time: 0, stream: StreamID(0), values: []), count: 512)
  /// while case let count = try trace.next(into: &readings), count > 0 { print(readings[count - 1].time) }
  /// ```
  ///
  /// It is several times as fast as reading one by one.
  /// - Parameter readings: Its first elements become the next readings. An array that nobody else holds is not copied.
  /// - Returns: The number of readings.
  /// - Throws: The fault of the row after the readings returned before.
  public func next(into readings: inout [Reading]) throws(SluiceError) -> Int {
    guard !isTaken.load(ordering: .relaxed) else { throw isTakenError }
    return try read(into: &readings)
  }

  /// Only for the owner: see ``take()``.
  func read(into readings: inout [Reading]) throws(SluiceError) -> Int {
    try readings.withUnsafeMutableBufferPointer { target in
      Result { () throws(SluiceError) in try decoder.read(into: target) }
    }.get()
  }

  /// Whether the next readings, or the end, are available without waiting for the file.
  var hasNext: Bool { decoder.hasNext }
  /// Whether a read may wait, as for a pipe or a terminal.
  package var mayWait: Bool { decoder.mayWait }

  // MARK: Ownership

  /// - Returns: Whether the caller is the first, so that from now on only the caller may read it.
  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  var isTakenError: SluiceError {
    SluiceError(
      .usage, "read", path, because: "a TraceReader can be used once, and another replay uses it already",
      remedy: "make a TraceReader for each replay")
  }
}
