import SluiceReadings

/// A kind of trace, known by what it begins with.
///
/// A new one is a file with a type of this protocol, and its line in the registry that a ``TraceReader`` is given.
package protocol TraceKind: Sendable {
  /// As errors list what is known: `CSV with a row of column names`.
  static var form: String { get }
  /// What the names of its files end in, without the dot: those that a folder is read for.
  static var extensions: [String] { get }
  /// Whether the first bytes are of such a trace; 512 of them, or all if it is shorter.
  static func recognizes(_ beginning: [UInt8]) -> Bool
  static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace
}

/// The kinds of trace that this module reads.
package enum TraceKinds {
  /// In the order in which they are tried. Nearly every text may be CSV.
  package static let all: [any TraceKind.Type] = [JSONLinesTrace.self, VCDTrace.self, CSVTrace.self]
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

  init(_ source: ByteSource, path: String, metadata: [UInt8]? = nil) {
    self.source = source
    self.path = path
    self.metadata = metadata
  }

  /// Which file it is.
  package var input: TraceInput { source.input(path) }

  /// For a kind that opens the file by its path.
  package func close() { source.close() }

  /// Whether it can be read once only, and may keep its reader waiting.
  package var isPipe: Bool { source.mayWait }

  /// The name of its stream, where nothing else has one.
  var stem: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// What the file beside it says, and the files that it was read from.
  func describe(
    _ options: OpenTrace.Options
  ) throws(SluiceError) -> (metadata: TraceMetadata?, inputs: [TraceInput]) {
    var inputs = [input]
    if let metadata { return (try TraceMetadata(metadata, path: TraceMetadata.path(beside: path)), inputs) }
    guard path != "-", source.isRegularFile, let beside = try TraceMetadata.find(beside: path) else {
      return (nil, inputs)
    }
    inputs.append(beside.input)
    return (try OpenTrace.addingEarlier(beside.metadata, of: path, options, &inputs), inputs)
  }
}

/// Where the streams of a trace are known from whose readings name them.
package enum StreamKnowledge {
  /// The metadata has all of them.
  case described([StreamDescription])
  /// The trace must be read twice: first for its streams, of which some are known.
  case readTwice(known: [StreamDescription])
  /// It can be read once only: they are learned on the way.
  case learned

  init(_ metadata: TraceMetadata?, isPipe: Bool) {
    let described = metadata?.streams
    if let metadata, let described, metadata.earlier?.isEmpty ?? true, !metadata.hasUndescribedRows {
      self = .described(described)
    } else if isPipe {
      self = .learned
    } else {
      // Rows of an earlier recording may have other streams than those described.
      self = .readTwice(known: described ?? [])
    }
  }
}
