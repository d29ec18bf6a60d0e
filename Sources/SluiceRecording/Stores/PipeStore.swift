import SluiceReadings

/// Standard output, a FIFO, a terminal, a device: what was written cannot be taken back.
package final class PipeStore: ByteStore {
  package let file: ClaimedFile

  package init(_ file: ClaimedFile) { self.file = file }

  package func begin(header: [UInt8]) throws(SluiceError) { try writeHeader(header) }

  package func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    guard let failed = writeBytes(file.descriptor, UnsafeRawBufferPointer(bytes)) else { return (bytes.count, nil) }
    return (end(failed.written), file.refusal(failed.error.code))
  }
}
