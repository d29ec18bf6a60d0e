package import SluiceReadings
import SluiceSystem

/// The bytes of a binary trace. One thread at a time reads them.
package final class TraceBytes {
  /// The name of the trace in errors.
  package let name: String
  private let source: ByteSource

  /// - Parameter options: Its `warn` gets the message if compressed bytes end too early.
  package init(_ file: TraceFile, _ options: OpenTrace.Options) {
    name = file.name
    source = file.source
    source.compressed?.warn = { [name, warn = options.warn] in warn("\(name): \($0)") }
  }

  /// Whether ``fill(_:)`` may wait for the writer of a pipe.
  package var mayWait: Bool { source.mayWait }

  /// Fills the buffer with the bytes that are available.
  /// - Returns: The number of bytes; 0 at the end.
  package func fill(_ target: UnsafeMutableRawBufferPointer) throws(SluiceError) -> Int {
    do throws(SystemErrno) { return try source.fill(target) } catch { throw SluiceError(reading: name, error) }
  }
}
