public import SluiceReadings
import SluiceSystem

extension TraceMetadata {
  /// The largest file that is read. With its 1,000 times per stream, it is enough for more than 3,000 streams.
  static let longest = 64 << 20
  /// The largest number of streams of a trace. A command needs up to 10 KB for a stream, and a database a table, and a
  /// stranger's file decides how many there are.
  package static let mostStreams = 16_384

  /// Reads the metadata file of a trace.
  /// - Parameter trace: The path of the CSV file.
  /// - Returns: Nil if there is none.
  /// - Throws: A `SluiceError` if it cannot be read, or is malformed.
  public init?(beside trace: String) throws(SluiceError) {
    guard let file = try Self.find(beside: trace) else { return nil }
    self = file.metadata
  }

  /// Finds the metadata beside a trace, or beside the target of a symbolic link.
  static func find(beside trace: String) throws(SluiceError) -> (metadata: TraceMetadata, input: TraceInput)? {
    if let file = try read(path(beside: trace)) { return file }
    guard let resolved = realpath(trace, nil) else { return nil }
    defer { free(resolved) }
    return try read(path(beside: String(cString: resolved)))
  }

  static func path(beside trace: String) -> String { trace + "-metadata.json" }

  /// - Returns: Nil if there is no such file.
  static func read(_ path: String) throws(SluiceError) -> (metadata: TraceMetadata, input: TraceInput)? {
    let source: ByteSource
    var bytes: [UInt8] = []
    do throws(SystemErrno) {
      source = try .regularFile(path)
      bytes = try source.bytes(limit: longest + 1)
    } catch {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.code) { return nil }
      guard error.code != noRegularFile else { throw malformed(path, "it is not a regular file") }
      throw SluiceError(
        "read", path, errno: error.code, remedy: "repair it, or move it away to read the trace without it")
    }
    guard bytes.count <= longest else { throw malformed(path, "it is larger than \(longest >> 20) MiB") }
    return (try TraceMetadata(bytes, path: path), source.input(path))
  }
}
