import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// An append-only file of whole rows.
///
/// Every `write(2)` takes whole rows, so that whatever happens the file ends, at worst, in one torn row.
package final class FileStore: ByteStore {
  package let file: ClaimedFile

  package init(_ file: ClaimedFile) { self.file = file }

  /// A file that is to be appended to must begin as a new one would, and end with a whole row.
  package func check(_ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {
    guard file.isContinued else { return }
    let path = file.path
    var first = [UInt8](repeating: 0, count: 64 << 10)
    var last: [UInt8] = [0]
    do throws(SystemErrno) {
      let descriptor = try openFile(path, O_RDONLY)
      defer { closeFile(descriptor) }
      let count = try readBytes(descriptor, into: &first)
      first.removeLast(first.count - count)
      lseek(descriptor, -1, SEEK_END)
      _ = try readBytes(descriptor, into: &last)
    } catch {
      throw SluiceError("append to", path, errno: error.code)
    }
    if let fault = fault(first) {
      throw SluiceError(.malformed, "append to", path, because: fault, remedy: "write to another file")
    }
    guard last == [UInt8(ascii: "\n")] else {
      throw SluiceError(
        .malformed, "append to", path, because: "its last row is torn",
        remedy: "cut that row off first: sed -i '$ d' \(quotedForShell(path))")
    }
  }

  package func begin(header: [UInt8]) throws(SluiceError) {
    guard !file.isContinued else { return }
    try file.empty()
    try writeHeader(header)
  }

  package func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    guard let failed = writeBytes(file.descriptor, UnsafeRawBufferPointer(bytes)) else { return (bytes.count, nil) }
    // After an error the file ends with a whole row.
    let kept = end(failed.written)
    let torn = failed.written - kept
    let size = lseek(file.descriptor, 0, SEEK_END)
    if torn > 0, size >= torn { ftruncate(file.descriptor, size - off_t(torn)) }
    return (kept, file.refusal(failed.error.code))
  }
}
