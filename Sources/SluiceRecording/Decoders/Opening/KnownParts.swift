import SluiceReadings
import SluiceSystem

/// Facts about the parts of a recording before their rows are read, from their metadata and their first bytes.
struct KnownParts {
  /// The paths of parts with at least one line.
  private(set) var paths: [String] = []
  /// The streams of later parts, by their metadata. If consecutive parts have the same streams, only the first is here.
  private(set) var described: [(path: String, streams: [StreamDescription])] = []
  /// The paths of parts without metadata of their streams.
  private(set) var undescribed: [String] = []
  private(set) var metadata: PartsMetadata
  /// The paths of the parts with which a new run begins.
  private(set) var restarted: Set<ExactName> = []
  /// Whether a run began with a part that has no line.
  private var isRestarting = false
  private(set) var inputs: [TraceInput] = []
  /// What the metadata of parts says of their rows, and its number by the path of a part. It is the same in nearly all
  /// parts, and to read it again takes a third of the time of a small part.
  private var rows: [TraceMetadata] = []
  private var rowsOfParts: [ExactName: Int] = [:]
  private let times: TraceTimes
  /// The metadata assumed for parts without metadata, from a part that has it.
  private(set) var assumed: TraceMetadata?

  /// - Parameter times: Whether the times are corrected.
  init(_ times: TraceTimes) {
    self.times = times
    metadata = PartsMetadata(times)
  }

  /// The metadata with which the rows of a part are read; nil to read it again.
  func metadata(of path: String) -> TraceMetadata? {
    guard let number = rowsOfParts[ExactName(path)] else { return nil }
    var metadata = rows[number]
    metadata.path = TraceMetadata.path(beside: path)
    return metadata
  }

  mutating func look(at path: String, _ options: OpenTrace.Options) throws(SluiceError) {
    guard let source = try OpenTrace.source(path) else { return }
    defer { source.close() }
    do throws(SystemErrno) { try source.decompress(options.compressions) } catch {
      throw SluiceError(reading: path, error)
    }
    // Messages about a file come later, when its rows are read.
    var silent = options
    silent.warn = { _ in }
    var file = TraceFile(source, path: path)
    file.isPart = true
    let (beside, inputs) = try file.describe(silent)
    self.inputs += inputs
    if beside == nil, fileSize(of: path) == 0 {
      // Its run was killed before it wrote anything. So there is no row that nothing describes.
      options.warn("\(path): it has no whole line and is left out")
      return
    }
    if metadata.add(beside) { isRestarting = true }
    if assumed == nil, let beside { assumed = beside.assumedOfOthers }
    guard try Self.hasLine(source, path, isCutOff: beside.map { $0.state == .unfinished } ?? true) else {
      options.warn("\(path): it has no whole line and is left out")
      return
    }
    paths.append(path)
    // A third file is that of earlier runs, which may have faults of its own.
    if times == .recorded, inputs.count == 2, source.compressed == nil, let plain = beside?.ofRows {
      if rows.last != plain { rows.append(plain) }
      rowsOfParts[ExactName(path)] = rows.count - 1
    }
    if isRestarting { restarted.insert(ExactName(path)) }
    isRestarting = false
    guard case .described(let streams)? = beside.map({ StreamKnowledge($0, isPipe: false) }) else {
      undescribed.append(path)
      return
    }
    if paths.count > 1, described.last?.streams != streams { described.append((path, streams)) }
  }

  /// Whether there is something to read. A killed run or a power cut may leave nothing, a piece of a header, or NUL
  /// bytes.
  private static func hasLine(_ source: ByteSource, _ path: String, isCutOff: Bool) throws(SluiceError) -> Bool {
    let limit = 512
    var beginning: [UInt8] = []
    do throws(SystemErrno) {
      beginning = try source.bytes(limit: limit)
    } catch {
      throw SluiceError(reading: path, error)
    }
    guard isCutOff, !beginning.contains(UInt8(ascii: "\n")) else { return !beginning.isEmpty }
    return beginning.count == limit && beginning.contains { $0 != 0 }
  }
}

extension TraceMetadata {
  /// What the rows of a finished part need of it; nil if it lists readings, or is that of several runs.
  fileprivate var ofRows: TraceMetadata? {
    let lists = [gapBefore, initialLevel, late, uncertainTime, possibleDuplicate, uncertainLevel]
    guard state == .finished, repaired == nil, streams != nil, earlierRuns == 0, runs.count == 1, restarts.isEmpty,
      !hasUndescribedRows, !hasUnfinishedRun, time != .relative,
      lists.allSatisfy({ ($0 ?? []).allSatisfy(\.times.isEmpty) })
    else { return nil }
    var rows = TraceMetadata(path: "", titles: titles, format: format, values: values, streams: streams)
    (rows.version, rows.state, rows.time, rows.decimals) = (version, state, time, decimals)
    return rows
  }

  /// The metadata that it implies for a part without metadata.
  fileprivate var assumedOfOthers: TraceMetadata? {
    guard let streams else { return nil }
    var other = TraceMetadata(path: path, titles: titles, format: format, values: values, streams: streams)
    other.hasUndescribedRows = true
    return other
  }
}
