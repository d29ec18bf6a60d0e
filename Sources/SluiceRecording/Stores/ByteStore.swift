package import SluiceReadings
import SluiceSystem

/// The destination of encoded readings: a file or a pipe. To add one for files, write a type of this protocol in its own
/// file, and add it to ``byteStore(for:)``.
package protocol ByteStore: AnyObject, Sendable {
  /// Checks whether new rows can follow the existing ones. It changes nothing.
  /// - Parameter fault: The reason why rows cannot follow a file with this beginning; nil if they can.
  func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError)
  /// Prepares it for rows, after every file of the recording was opened, locked and checked.
  /// - Parameter found: Called when a torn tail was removed.
  func begin(header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError)
  /// Writes all bytes if possible. After an error it can be called again with the remaining bytes.
  /// - Parameter end: The number of bytes in whole readings within a number of bytes.
  /// - Returns: The number of written bytes in whole readings, and the error if these are not all bytes.
  func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?)
  /// Ends the open part and begins another, for a recording in parts.
  func begin(part start: PartStart) throws(SluiceError)
  /// Called when these bytes of the rows are in the file.
  func written(_ rows: EncodedRows, from start: Int, to end: Int)
  /// The open file, and its length up to the last whole reading; nil if it is no file.
  var extent: FileExtent? { get }
  /// Syncs: everything written is on the disk when it returns.
  func sync() throws(SluiceError)
  func close() throws(SluiceError)
  /// Closes what it has opened itself for a recording that could not begin.
  func discard()
}

extension ByteStore {
  package func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {}
  package func begin(part start: PartStart) throws(SluiceError) {}
  package func written(_ rows: EncodedRows, from start: Int, to end: Int) {}
  package var extent: FileExtent? { nil }
  package func sync() throws(SluiceError) {}
  package func discard() {}
}

/// The store for the type of the file.
package func byteStore(for file: ClaimedFile) -> any ByteStore {
  if let series = file.series { return PartStore(file, series) }
  let store: any ByteStore = file.isRegular ? FileStore(file) : PipeStore(file)
  return file.compression.map { CompressedStore(store, of: file, $0) } ?? store
}
