import SluiceReadings

/// What is learned of the parts of a recording before their rows are read: from their metadata, and from whether they have
/// rows at all.
struct KnownParts {
  /// Those that have something to read.
  private(set) var paths: [String] = []
  /// Streams of those behind the first, as their metadata has them; of several that have the same, the first.
  private(set) var described: [(path: String, streams: [StreamDescription])] = []
  /// Those whose metadata does not say which streams they have.
  private(set) var undescribed: [String] = []
  private(set) var metadata = PartsMetadata()
  private(set) var inputs: [TraceInput] = []
  /// What parts without metadata are taken to have: the streams of one that has some.
  private(set) var assumed: TraceMetadata?

  mutating func look(at path: String, _ options: OpenTrace.Options) throws(SluiceError) {
    guard let source = try OpenTrace.source(path) else { return }
    defer { source.close() }
    do throws(SystemErrno) { try source.decompress(options.compressions) } catch { throw CSVFile.error(error, path) }
    // What is to be said of a file is said when its rows are read.
    var silent = options
    silent.warn = { _ in }
    let file = TraceFile(source, path: path)
    let (beside, inputs) = try file.describe(silent)
    self.inputs += inputs
    metadata.add(beside)
    if assumed == nil, let beside { assumed = beside.assumedOfOthers }
    guard try Self.hasLine(source, path, isCutOff: beside?.state == .unfinished) else {
      options.warn("\(path): it has no whole line and is left out")
      return
    }
    paths.append(path)
    guard case .described(let streams)? = beside.map({ StreamKnowledge($0, isPipe: false) }) else {
      undescribed.append(path)
      return
    }
    if paths.count > 1, described.last?.streams != streams { described.append((path, streams)) }
  }

  /// Whether there is something to read: a run that was killed, or lost its power, may leave nothing, a piece of a header,
  /// or NUL bytes.
  private static func hasLine(_ source: ByteSource, _ path: String, isCutOff: Bool) throws(SluiceError) -> Bool {
    let limit = 512
    var beginning: [UInt8] = []
    do throws(SystemErrno) {
      beginning = try source.bytes(limit: limit)
    } catch {
      throw CSVFile.error(error, path)
    }
    guard isCutOff, !beginning.contains(UInt8(ascii: "\n")) else { return !beginning.isEmpty }
    return beginning.count == limit && beginning.contains { $0 != 0 }
  }
}

extension TraceMetadata {
  /// What it says of the rows of a part that has no metadata.
  fileprivate var assumedOfOthers: TraceMetadata? {
    guard let streams else { return nil }
    var other = TraceMetadata(path: path, titles: titles, format: format, values: values, streams: streams)
    other.hasUndescribedRows = true
    return other
  }
}
