import Sluice
public import SluiceReadings
import Synchronization

/// Reads a recorded trace: CSV with a header row, one time column and numbers, as this library or anybody else wrote it,
/// JSON Lines of both, a value change dump, or what gpiomon prints. Levels in CSV of Saleae Logic 2 become edges.
///
/// ```swift
/// let trace = try TraceReader(path: "walk.csv")
/// while let reading = try trace.next() { print(reading.time, reading.values[0]) }
/// ```
///
/// Times become nanoseconds, rounded to the nearest; values keep all their digits. An empty cell and `nan` are missing
/// values. Times may go backwards. The time column, its unit and the columns with numbers are detected in the trace,
/// unless ``TraceFormat`` gives them.
///
/// Names, units, scales and flags are those of the file beside the trace, ``TraceMetadata``, if there is one. Without it,
/// columns such as `imu.x` and `imu.y` are channels of one stream, and all columns are where none has a dot. Both layouts
/// of ``CSVLayout`` are read; of the long one, a file without metadata is read twice, to learn its streams, and from a
/// pipe they are learned on the way.
///
/// A folder is read as one trace of all streams of its files, in the order of time. The command reads databases, sessions of
/// sigrok and compressed traces too.
///
/// Not for use from two threads at once, but for ``streams`` and ``isGrowing``; what `Publishers.Replay` has been given,
/// it alone reads.
public final class TraceReader {
  /// How many streams a trace may have that is read once, and so from a pipe.
  public static let limit = 1_024

  /// The path of the trace. If there are several, their paths are separated by commas.
  public let path: String
  /// The files of all traces.
  package let paths: [String]
  /// What the file beside the trace says, or those of a folder together; nil where there is none, as for standard input.
  public let metadata: TraceMetadata?
  /// How its rows are laid out; nil for a folder.
  package let layout: CSVLayout?
  /// Its rows have the flags of their readings.
  package let hasFlags: Bool
  /// Every file that the trace is read from.
  package let inputs: [TraceInput]

  private let decoder: any TraceDecoder
  private let skipped: SkippedRows?
  private let isTaken = Atomic(false)  // looked at by its first owner, while another reads on a queue

  /// - Parameters:
  ///   - path: A file, a folder of them, or `-` for standard input.
  ///   - times: Those of the rows, or corrected by what the metadata knows of the clock; gaps and flags stay where they are.
  ///   - skipsBad: Leaves out rows of CSV and JSON Lines that cannot be read; see ``skippedRows``.
  ///   - warn: Called with each sentence that the user should know of, such as that the last row is torn, from the thread
  ///     that reads.
  ///   - isInterrupted: Asked every 50 ms while the header is waited for, of a FIFO or standard input; true ends that
  ///     with an error whose `errno` is EINTR.
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
  ///   - paths: Traces that are read as one, in the order of time; `-` once at most.
  ///   - kinds: What the trace may be, in the order in which they are tried.
  ///   - opens: Opens the file without a look at its first bytes; nil asks the kinds.
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

  /// Reads a trace that is in memory.
  /// - Parameters:
  ///   - name: What it is called in errors.
  ///   - metadata: What the file beside it has.
  package convenience init(
    _ bytes: [UInt8], name: String, metadata: [UInt8]? = nil, format: TraceFormat = TraceFormat(),
    times: TraceTimes = .recorded, skipsBad: Bool = false, compressions: [any Compression.Type] = [],
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SluiceError) {
    let options = OpenTrace.Options(
      format: format, times: times, skipped: skipsBad ? SkippedRows() : nil, compressions: compressions, warn: warn)
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

  /// What the trace holds, in the order of the readings' `StreamID`. For any thread.
  public var streams: [StreamDescription] { decoder.list.streams }

  /// Whether streams, and channels of streams, may still be added while it is read: a reading has values of the channels
  /// that were known when it was complete. For any thread.
  public var isGrowing: Bool { decoder.list.isGrowing }

  /// The number of rows that were left out so far because they could not be read, and the fault of the first. For any
  /// thread.
  public var skippedRows: (count: Int, first: SluiceError?) { (skipped?.count ?? 0, skipped?.first) }
  /// The same for whoever reads no more than this.
  package var skippedCount: (@Sendable () -> Int)? {
    guard let skipped else { return nil }
    return { skipped.count }
  }

  /// Gives the streams that there are by now, from any thread; nil if there will be no more.
  package var moreStreams: (@Sendable () -> [StreamDescription])? {
    let list = decoder.list
    guard list.isGrowing else { return nil }
    return { list.streams }
  }

  /// The next reading; nil at the end.
  public func next() throws(SluiceError) -> Reading? {
    var readings = [Reading.empty]
    return try next(into: &readings) == 1 ? readings[0] : nil
  }

  /// The next readings, as many as there are without waiting for the file, but for the first; none at the end.
  ///
  /// ```swift
  /// var readings = [Reading](repeating: Reading(time: 0, stream: StreamID(0), values: []), count: 512)
  /// while case let count = try trace.next(into: &readings), count > 0 { print(readings[count - 1].time) }
  /// ```
  ///
  /// Several times as fast as reading by reading.
  /// - Parameter readings: Its first elements become the next readings; an array that nobody else holds is not copied.
  /// - Returns: How many.
  /// - Throws: What is wrong with the row behind the readings returned before.
  public func next(into readings: inout [Reading]) throws(SluiceError) -> Int {
    guard !isTaken.load(ordering: .relaxed) else { throw isTakenError }
    return try read(into: &readings)
  }

  /// For whoever has it from ``take()``.
  func read(into readings: inout [Reading]) throws(SluiceError) -> Int {
    try readings.withUnsafeMutableBufferPointer { target in
      Result { () throws(SluiceError) in try decoder.read(into: target) }
    }.get()
  }

  /// Whether there are readings, or an end, without waiting for the file.
  var hasNext: Bool { decoder.hasNext }
  /// Whether the file is one that may keep its reader waiting: a pipe, a terminal.
  var mayWait: Bool { decoder.mayWait }

  // MARK: Ownership

  /// - Returns: Whether the caller is the first, and so the only one, to read it from now on.
  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  var isTakenError: SluiceError {
    SluiceError(
      .usage, "read", path, because: "a trace can be read once, and a replay reads it or has read it",
      remedy: "make another TraceReader for each that reads it")
  }
}
