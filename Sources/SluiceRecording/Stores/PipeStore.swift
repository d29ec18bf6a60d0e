package import SluiceReadings
import SluiceSystem

/// A store for standard output, a FIFO, a terminal or a device. Written bytes cannot be removed.
package final class PipeStore: ByteStore {
  private let file: ClaimedFile

  package init(_ file: ClaimedFile) { self.file = file }

  package func begin(header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError) {
    try file.write(header: header)
  }

  package func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    let (written, error) = file.files.write(all: UnsafeRawBufferPointer(bytes), to: file.descriptor)
    return error.map { (end(written), file.refusal($0.code)) } ?? (bytes.count, nil)
  }

  package func close() throws(SluiceError) { try file.close() }
}
