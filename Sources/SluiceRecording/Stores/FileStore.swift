import Sluice
package import SluiceReadings
import SluiceSystem

/// An append-only file of whole rows.
///
/// Each `write(2)` has whole rows, so that a killed run leaves at most one torn row. A power cut may leave more
/// (``TornTail``), which the next run cuts off.
package final class FileStore: ByteStore, @unchecked Sendable {
  // One thread at a time uses `length` and `isTorn`: first the thread that begins, and then the queue of the output.

  private let file: ClaimedFile
  /// The number of bytes in whole readings.
  private var length: Int64 = 0
  /// Whether a torn row may follow these bytes, because a write has failed.
  private var isTorn = false

  package init(_ file: ClaimedFile) { self.file = file }

  /// Checks that a file to continue begins like a new one. A file that was cut off within its header has no row.
  package func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {
    guard file.isContinued else { return }
    let beginning = try beginning(header)
    guard !isTornHeader(beginning, header), !hasLostItsBeginning(beginning), let fault = fault(beginning) else {
      return
    }
    throw SluiceError(.malformed, "append to", file.path, because: fault, remedy: "write to another file")
  }

  private func beginning(_ header: [UInt8]) throws(SluiceError) -> [UInt8] {
    do throws(SystemErrno) {
      // More bytes than the header; otherwise a long header would seem to be torn.
      return try file.files.contents(of: file.path, limit: max(64 << 10, header.count + 1))
    } catch {
      throw SluiceError("append to", file.path, errno: error.code)
    }
  }

  /// Whether only NUL bytes follow the header's first bytes, or are all there is.
  private func isTornHeader(_ beginning: [UInt8], _ header: [UInt8]) -> Bool {
    let text = beginning.prefix { $0 != 0 }
    return (text.isEmpty || text.count < header.count) && header.starts(with: text)
      && beginning[text.count...].allSatisfy { $0 == 0 }
  }

  /// Whether the first block is lost, and others are there: blocks reach a disk in any order. A run has to have begun the file,
  /// and not ended. Otherwise it may be somebody's file.
  private func hasLostItsBeginning(_ beginning: [UInt8]) -> Bool {
    let sector = 512
    guard beginning.count > sector, beginning[..<sector].allSatisfy({ $0 == 0 }) else { return false }
    return lastRun.map { $0.isUnfinished && $0.beganAtByte == 0 } ?? false
  }

  package func begin(header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError) {
    guard file.isContinued else {
      try file.empty()
      return try write(header: header)
    }
    let beginning = try beginning(header)
    if isTornHeader(beginning, header) {
      found(.begunAnew(path: file.path))
    } else if hasLostItsBeginning(beginning) {
      found(.tailCut(path: file.path, try tornTail(header)))
    } else {
      return try goOn(header, found)
    }
    isTorn = true
    try cut()
    try write(header: header)
  }

  private func write(header: [UInt8]) throws(SluiceError) {
    try file.write(header: header)
    length = Int64(header.count)
  }

  /// Continues after the last whole row.
  private func goOn(_ header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError) {
    if let identity = file.identity, let kept = file.cuts[identity], kept < file.size {
      found(.cutBack(path: file.path, bytes: file.size - kept))
      (length, isTorn) = (kept, true)
      try cut()
    }
    let tail = try tornTail(header)
    length = tail.end
    guard !tail.isEmpty else { return }
    found(.tailCut(path: file.path, tail))
    isTorn = true
    try cut()
  }

  /// Metadata that cannot be read gives no information about the last run.
  private var lastRun: LastRun? { (try? MetadataFile(beside: file.path, file.disk).read()).map { LastRun($0) } }

  private func tornTail(_ header: [UInt8]) throws(SluiceError) -> TornTail {
    do throws(SystemErrno) {
      // A separate descriptor, because that of the file is only for writing.
      let descriptor = try file.files.open(file.path, O_RDONLY | O_NOFOLLOW)
      defer { try? file.files.close(descriptor) }
      return try TornTail.find(file.files, descriptor, RowShape(header: header), lastRun)
    } catch {
      throw SluiceError("append to", file.path, errno: error.code)
    }
  }

  package func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    // Cuts off the torn row of an earlier call that could not cut it.
    do throws(SluiceError) { try cut() } catch { return (0, error) }
    let (written, error) = file.files.write(all: UnsafeRawBufferPointer(bytes), to: file.descriptor)
    guard let error else {
      length += Int64(written)
      return (bytes.count, nil)
    }
    // After an error, the file must end with a whole row.
    let kept = end(written)
    length += Int64(kept)
    // Some file systems fail, but keep a part of the bytes.
    isTorn = true
    try? cut()
    return (kept, file.refusal(error.code))
  }

  /// Cuts off the torn row.
  private func cut() throws(SluiceError) {
    guard isTorn else { return }
    do throws(SystemErrno) {
      try file.files.truncate(file.descriptor, to: length)
      isTorn = false
    } catch {
      throw file.refusal(error.code)
    }
  }

  package var extent: FileExtent? { file.identity.map { FileExtent(identity: $0, length: length) } }
  package func sync() throws(SluiceError) { try file.sync() }
  package func close() throws(SluiceError) { try file.close() }
}
