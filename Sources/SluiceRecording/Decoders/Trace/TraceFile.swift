public import SluiceReadings
import SluiceSystem

/// The file of a trace, before it is opened as one.
public struct TraceFile {
  let source: ByteSource
  /// The path; `-` is standard input.
  public let path: String
  /// The name in errors.
  public var name: String { path == "-" ? "standard input" : path }
  /// The metadata of a trace in memory.
  var metadata: [UInt8]?
  /// The metadata to use if there is no metadata file.
  var assumed: TraceMetadata?
  /// The metadata, if it was read before; nil to read it.
  var known: TraceMetadata?
  /// Whether it is a part, which is read without its metadata if that cannot be read. The rows of the other parts would
  /// be lost with it.
  var isPart = false

  init(_ source: ByteSource, path: String, metadata: [UInt8]? = nil) {
    self.source = source
    self.path = path
    self.metadata = metadata
  }

  /// The identity of the file.
  package var input: TraceInput { source.input(path) }

  /// Closes the file, for a kind that opens it by its path.
  public func close() { source.close() }

  /// Whether it can be read only once and may make its reader wait.
  public var isPipe: Bool { source.mayWait }

  /// Checks that the path can be opened, for a kind that opens the file by its path.
  /// - Parameter what: The kind in words: `a database`.
  /// - Throws: If the recognized bytes are not those of the file at the path: for a pipe, or a compressed file.
  public func checkPath(_ what: String) throws(SluiceError) {
    let isCompressed = source.compressed != nil
    guard isPipe || path == "-" || isCompressed else { return }
    throw SluiceError(
      .unsupported, "read", name,
      because: "\(what) cannot be read from a \(isCompressed ? "compressed file" : "pipe")",
      remedy: isCompressed ? "decompress it first" : "give it as a file")
  }

  /// The default name of its stream.
  public var stem: String {
    if path == "-" { return "stdin" }
    let name = fileName(of: pathWithoutCompression ?? path)
    if let part = PartName(name) { return part.stem }
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// The path without the ending of a compression: `walk.csv` for `walk.csv.gz`; nil if it has none.
  fileprivate var pathWithoutCompression: String? {
    guard let ending = source.compressed.map({ ".\($0.ending)" }), path.hasSuffix(ending) else { return nil }
    return String(path.dropLast(ending.count))
  }

  /// The metadata of the trace, and the files that were read for it.
  public func describe(
    _ options: OpenTrace.Options
  ) throws(SluiceError) -> (metadata: TraceMetadata?, inputs: [TraceInput]) {
    var inputs = [input]
    source.compressed?.warn = { [name, warn = options.warn] in warn("\(name): \($0)") }
    if let metadata {
      let described = try TraceMetadata(metadata, path: TraceMetadata.path(beside: path)).timed(options.times)
      source.compressed?.isCutOff = described.state == .unfinished
      return (described, inputs)
    }
    if let known {
      source.compressed?.isCutOff = known.state == .unfinished
      return (known, inputs)
    }
    guard path != "-", source.isRegularFile, let beside = try besideIt(options.warn) else { return (assumed, inputs) }
    source.compressed?.isCutOff = beside.metadata.state == .unfinished
    inputs.append(beside.input)
    return (try OpenTrace.addingEarlier(beside.metadata.timed(options.times), of: path, options, &inputs), inputs)
  }
}

extension TraceFile {
  /// The metadata beside the file, or beside the file before it was compressed.
  fileprivate func besideIt(
    _ warn: (String) -> Void
  ) throws(SluiceError) -> (metadata: TraceMetadata, input: TraceInput)? {
    do throws(SluiceError) {
      if let beside = try TraceMetadata.find(beside: path) { return beside }
      guard let path = pathWithoutCompression else { return nil }
      return try TraceMetadata.find(beside: path)
    } catch  where isPart && error.code == .malformed {
      warn("\(error.object): \(error.cause): its part is read without it")
      return nil
    }
  }
}
