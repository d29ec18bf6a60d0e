package import SluiceReadings

/// A kind of trace, known by its first bytes.
///
/// A new kind is a file with a type of this protocol, and its line in the registry that a ``TraceReader`` is given.
package protocol TraceKind: Sendable {
  /// For the error that lists the known kinds: `CSV with a row of column names`.
  static var form: String { get }
  /// The endings of its files' names, without the dot: in a folder, files with these are read.
  static var extensions: [String] { get }
  /// Whether a trace of this kind begins so: with its first 512 bytes, or fewer if it is shorter or comes from a pipe.
  static func recognizes(_ beginning: [UInt8]) -> Bool
  static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace
}

/// The kinds of trace that this module reads.
package enum TraceKinds {
  /// In the order in which they are tried. Nearly every text may be CSV.
  package static let all: [any TraceKind.Type] = [
    JSONLinesTrace.self, VCDTrace.self, GPIOMonTrace.self, CSVTrace.self,
  ]
}

/// A file that a trace is about to be read from.
package struct TraceFile {
  let source: ByteSource
  /// `-` is standard input.
  package let path: String
  /// What it is called in errors.
  package var name: String { path == "-" ? "standard input" : path }
  /// The document beside a trace that is in memory.
  var metadata: [UInt8]?
  /// What is assumed if there is no metadata file beside it.
  var assumed: TraceMetadata?

  init(_ source: ByteSource, path: String, metadata: [UInt8]? = nil) {
    self.source = source
    self.path = path
    self.metadata = metadata
  }

  /// Which file it is.
  package var input: TraceInput { source.input(path) }

  /// For a kind that opens the file by its path.
  package func close() { source.close() }

  /// Whether it can be read only once and may make its reader wait.
  package var isPipe: Bool { source.mayWait }

  /// For a kind that opens the file by its path.
  /// - Parameter what: `a database`
  /// - Throws: If the file at the path does not have the recognized bytes: a pipe, or a compressed file.
  package func checkPath(_ what: String) throws(SluiceError) {
    let isCompressed = source.compressed != nil
    guard isPipe || path == "-" || isCompressed else { return }
    throw SluiceError(
      .unsupported, "read", name,
      because: "\(what) cannot be read from a \(isCompressed ? "compressed file" : "pipe")",
      remedy: isCompressed ? "decompress it first" : "give it as a file")
  }

  /// The name of its stream, where nothing else has one.
  package var stem: String {
    if path == "-" { return "stdin" }
    let name = (pathWithoutCompression ?? path).split(separator: "/").last.map(String.init) ?? path
    if let part = PartName(name) { return part.stem }
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// `walk.csv` for `walk.csv.gz`; nil if the name has no ending of a compression.
  fileprivate var pathWithoutCompression: String? {
    guard let ending = source.compressed.map({ ".\($0.ending)" }), path.hasSuffix(ending) else { return nil }
    return String(path.dropLast(ending.count))
  }

  /// The metadata beside it, and the files that are read.
  func describe(
    _ options: OpenTrace.Options
  ) throws(SluiceError) -> (metadata: TraceMetadata?, inputs: [TraceInput]) {
    var inputs = [input]
    source.compressed?.warn = { [name, warn = options.warn] in warn("\(name): \($0)") }
    if let metadata {
      let described = try TraceMetadata(metadata, path: TraceMetadata.path(beside: path)).timed(options.times)
      source.compressed?.isCutOff = described.state == .unfinished
      return (described, inputs)
    }
    guard path != "-", source.isRegularFile, let beside = try besideIt() else { return (assumed, inputs) }
    source.compressed?.isCutOff = beside.metadata.state == .unfinished
    inputs.append(beside.input)
    return (try OpenTrace.addingEarlier(beside.metadata.timed(options.times), of: path, options, &inputs), inputs)
  }
}

extension TraceFile {
  /// The metadata beside the file, or beside the file before it was compressed.
  fileprivate func besideIt() throws(SluiceError) -> (metadata: TraceMetadata, input: TraceInput)? {
    if let beside = try TraceMetadata.find(beside: path) { return beside }
    guard let path = pathWithoutCompression else { return nil }
    return try TraceMetadata.find(beside: path)
  }
}

/// Where the streams of a trace come from, if its readings name them.
package enum StreamKnowledge {
  /// The metadata has all of them.
  case described([StreamDescription])
  /// The trace must be read twice: first for its streams, of which some are known.
  case readTwice(known: [StreamDescription])
  /// The trace can be read only once: streams are learned during the read.
  case learned

  init(_ metadata: TraceMetadata?, isPipe: Bool) {
    let described = metadata?.streams
    if let metadata, let described, metadata.earlierRuns == 0, !metadata.hasUndescribedRows {
      self = .described(described)
    } else if isPipe {
      self = .learned
    } else {
      // Rows of an earlier recording may have other streams than those described.
      self = .readTwice(known: described ?? [])
    }
  }
}
