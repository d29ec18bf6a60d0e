import SluiceReadings

/// Where encoded readings are kept: a file, a pipe. A new store is a file with a type of this protocol, and its line in
/// ``byteStore(for:)``.
package protocol ByteStore: AnyObject, Sendable {
  var file: ClaimedFile { get }
  /// Whether new rows can follow what is there; changes nothing.
  /// - Parameter fault: Why they cannot follow a file that begins so; nil if they can.
  func check(_ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError)
  /// Makes it ready for rows, once every file of the recording is open, locked and checked.
  func begin(header: [UInt8]) throws(SluiceError)
  /// Writes all bytes, or says how many it keeps.
  /// - Parameter end: For a number of bytes, how many of them are whole readings.
  /// - Returns: How many bytes of whole readings it keeps, and the error if these are not all.
  func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?)
}

extension ByteStore {
  package func check(_ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {}

  /// Writes what a new file begins with.
  func writeHeader(_ header: [UInt8]) throws(SluiceError) {
    let failed = header.withUnsafeBytes { writeBytes(file.descriptor, $0) }
    if let failed { throw file.refusal(failed.error.code) }
  }
}

/// The store that fits what was opened.
package func byteStore(for file: ClaimedFile) -> any ByteStore {
  file.isRegular ? FileStore(file) : PipeStore(file)
}
