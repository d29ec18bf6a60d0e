package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// A recording in MCAP, of sluice or of another program.
package enum MCAPTraceKind: TraceKind {
  package static let form = "MCAP"
  package static let extensions = MCAPFormat.extensions

  package static func recognizes(_ beginning: [UInt8]) -> Bool { Contents.recognizes(beginning) }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    try file.checkPath("MCAP")
    var (metadata, inputs) = try file.describe(options)
    let path = file.path
    file.close()
    let bytes: FileBytes
    do throws(SystemErrno) { bytes = try FileBytes.open(path) } catch {
      throw SluiceError("read", path, errno: error.code)
    }
    return try open(bytes, path, &metadata, &inputs, options)
  }

  /// Reads a file in memory, for a test.
  package static func open(
    _ bytes: [UInt8], name: String, _ options: OpenTrace.Options
  ) throws(SluiceError) -> OpenTrace {
    var metadata: TraceMetadata?
    var inputs: [TraceInput] = []
    return try open(FileBytes(bytes), name, &metadata, &inputs, options)
  }

  private static func open(
    _ file: FileBytes, _ path: String, _ metadata: inout TraceMetadata?, _ inputs: inout [TraceInput],
    _ options: OpenTrace.Options
  ) throws(SluiceError) -> OpenTrace {
    var contents: Contents?
    var documents: [String] = []
    do throws(SystemErrno) {
      contents = try Contents.read(file, checkedFrom: nil)
      if metadata == nil, let contents { documents = try MCAPMetadata.documents(contents, file) }
    } catch {
      throw SluiceError("read", path, errno: error.code)
    }
    guard let contents else {
      if file.size > MCAPEncoder.header.count {
        throw SluiceError(
          .malformed, "read", path, because: "its header is damaged",
          remedy: "sluice repair \(quotedForShell(path)) keeps everything else")
      }
      // A run that was killed at once has written no header.
      throw SluiceError(.malformed, "read", path, because: "it ends within its header")
    }
    if metadata == nil { metadata = try self.metadata(documents, path, options.times) }
    let decoder = try MCAPDecoder(file, contents, path, metadata, options)
    return OpenTrace(decoder: decoder, metadata: metadata, inputs: inputs, hasFlags: true)
  }

  /// The metadata of all runs; nil if there is none.
  static func metadata(
    _ documents: [String], _ path: String, _ times: TraceTimes = .recorded
  ) throws(SluiceError) -> TraceMetadata? {
    var all: [TraceMetadata] = []
    for document in documents { all.append(try TraceMetadata(Array(document.utf8), path: path).timed(times)) }
    return all.popLast().map { TraceMetadata(newest: $0, earlier: all) }
  }
}
