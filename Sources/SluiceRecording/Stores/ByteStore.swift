package import SluiceReadings

/// Where encoded readings are kept: a file, a pipe. A new store is a file with a type of this protocol, and its line in
/// ``byteStore(for:)``.
package protocol ByteStore: AnyObject, Sendable {
  var file: ClaimedFile { get }
  /// Whether new rows can follow what is there; changes nothing.
  /// - Parameter fault: Why they cannot follow a file that begins so; nil if they can.
  func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError)
  /// Makes it ready for rows, once every file of the recording is open, locked and checked.
  /// - Parameter say: Told what was cut off.
  func begin(header: [UInt8], _ say: (String) -> Void) throws(SluiceError)
  /// Writes all bytes, or says how many it keeps. After an error it can be called again with the bytes that are left.
  /// - Parameter end: For a number of bytes, how many of them are whole readings.
  /// - Returns: How many bytes of whole readings it keeps, and the error if these are not all.
  func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?)
  /// For a recording that is cut into parts: ends the part that is open, and begins another.
  func begin(part start: PartStart) throws(SluiceError)
  /// These bytes of the rows are in the file.
  func written(_ rows: EncodedRows, from start: Int, to end: Int)
  /// What was written is on the disk when it returns.
  func sync() throws(SluiceError)
  func close() throws(SluiceError)
  /// For a recording that could not begin.
  func discard()
}

extension ByteStore {
  package func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {}
  package func begin(part start: PartStart) throws(SluiceError) {}
  package func written(_ rows: EncodedRows, from start: Int, to end: Int) {}
  package func sync() throws(SluiceError) {}
  package func close() throws(SluiceError) { try file.close() }
  package func discard() { file.discard() }

  /// Writes what a new file begins with.
  func writeHeader(_ header: [UInt8]) throws(SluiceError) {
    if let error = header.withUnsafeBytes({ file.files.write(all: $0, to: file.descriptor) }).error {
      throw file.refusal(error.code)
    }
  }
}

/// The store that fits what was opened.
package func byteStore(for file: ClaimedFile) -> any ByteStore {
  if let series = file.series { return PartStore(file, series) }
  let store: any ByteStore = file.isRegular ? FileStore(file) : PipeStore(file)
  return file.compression.map { CompressedStore(store, $0) } ?? store
}
