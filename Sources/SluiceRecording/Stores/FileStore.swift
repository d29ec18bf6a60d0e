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

  package func begin(header: [UInt8]) throws(SluiceError) {
    var status = stat()
    if file.existing == .append, fstat(file.descriptor, &status) == 0, status.st_size > 0 { return try check(header) }
    if file.existing == .overwrite {
      do throws(SystemErrno) {
        _ = try valueOrErrno { ftruncate(file.descriptor, 0) }
      } catch {
        throw SluiceError("overwrite", file.path, errno: error.code, remedy: "choose another name")
      }
    }
    try writeHeader(header)
  }

  /// A file that is to be appended to must begin with the same header and end with a whole row.
  private func check(_ header: [UInt8]) throws(SluiceError) {
    let path = file.path
    var first = [UInt8](repeating: 0, count: header.count)
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
    guard first.elementsEqual(header) else {
      throw SluiceError(
        .malformed, "append to", path,
        because: "its first line is not \(String(decoding: header.dropLast(), as: UTF8.self))",
        remedy: "write to another file")
    }
    guard last == [UInt8(ascii: "\n")] else {
      throw SluiceError(
        .malformed, "append to", path, because: "its last row is torn",
        remedy: "cut that row off first: sed -i '$ d' \(quotedForShell(path))")
    }
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
