package import SluiceReadings

/// The bytes of a trace that is no text; one thread at a time reads it.
package final class TraceBytes {
  /// What it is called in errors.
  package let name: String
  private let source: ByteSource

  /// - Parameter options: Whom to tell that compressed bytes end too early.
  package init(_ file: TraceFile, _ options: OpenTrace.Options) {
    name = file.name
    source = file.source
    source.compressed?.warn = { [name, warn = options.warn] in warn("\(name): \($0)") }
  }

  /// Whether ``fill(_:)`` may wait for somebody to write.
  package var mayWait: Bool { source.mayWait }

  /// Fills as much as there is at once.
  /// - Returns: How many bytes; 0 at the end.
  package func fill(_ target: UnsafeMutableRawBufferPointer) throws(SluiceError) -> Int {
    do throws(SystemErrno) { return try source.fill(target) } catch { throw CSVFile.error(error, name) }
  }
}
