import Dispatch
import Sluice

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// What to do about a file that is there already.
public enum ExistingFile: Sendable {
  /// Leave it alone and fail.
  case refuse
  /// Go on at its end, if its header is the same.
  case append
  case overwrite
}

/// An append-only file of whole rows, written behind on its own queue.
///
/// Every `write(2)` takes whole rows, so that whatever happens the file ends, at worst, in one torn row. A file that was
/// made here and in which nothing but the header was written is removed when it is closed after an error.
final class RecordingFile: @unchecked Sendable {
  // The lock protects `failure`; the descriptor is only used on `queue`.

  let path: String
  private let descriptor: Int32
  private let queue: DispatchQueue
  private let created: Bool
  private let failure = Locked<SluiceError?>(nil)

  /// - Parameter path: `-` is standard output.
  init(path: String, header: String, existing: ExistingFile, queue: DispatchQueue) throws(SluiceError) {
    self.path = path
    self.queue = queue
    if path == "-" {
      (descriptor, created) = (STDOUT_FILENO, false)
      try Self.write(header, to: descriptor, "standard output")
      return
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    // What is no regular file, such as /dev/null or a pipe, has nothing that could be lost.
    let isRegular = !isThere || status.st_mode & S_IFMT == S_IFREG
    let fresh = !isThere || (existing == .append && status.st_size == 0)
    do throws(SystemErrno) {
      let mode = existing == .refuse && isRegular ? O_EXCL : 0
      descriptor = try openFile(path, O_WRONLY | O_APPEND | O_CREAT | mode)
    } catch {
      throw SluiceError(
        "write", path, errno: error.code,
        remedy: error.code == EEXIST
          ? "choose another name, --append to go on with it or --force to overwrite it"
          : error.code == EACCES ? "choose a folder that you may write to" : nil)
    }
    created = fresh
    if isRegular {
      // Held until it is closed: rows of two recordings are not to be mixed.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        closeFile(descriptor)
        throw SluiceError(
          .busy, "write", path, because: "another recording is writing it",
          remedy: "stop that first, or choose another name", errno: code)
      }
      if existing == .overwrite { ftruncate(descriptor, 0) }
    }
    if existing == .append, !fresh {
      do {
        try Self.check(path, header)
      } catch {
        closeFile(descriptor)
        throw error
      }
    } else {
      try Self.write(header, to: descriptor, path)
    }
  }

  private static func write(_ header: String, to descriptor: Int32, _ name: String) throws(SluiceError) {
    var header = header
    let failed = header.withUTF8 { writeBytes(descriptor, UnsafeRawBufferPointer($0)) }
    if let failed { throw SluiceError("write", name, errno: failed.error.code) }
  }

  /// A file that is to be continued must begin with the same header and end with a whole row.
  private static func check(_ path: String, _ header: String) throws(SluiceError) {
    var first = [UInt8](repeating: 0, count: header.utf8.count)
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
    guard first.elementsEqual(header.utf8) else {
      throw SluiceError(
        .malformed, "append to", path, because: "its first line is not \(header.dropLast())",
        remedy: "write to another file")
    }
    guard last == [UInt8(ascii: "\n")] else {
      throw SluiceError(
        .malformed, "append to", path, because: "its last row is torn",
        remedy: "cut that row off first: sed -i '$ d' \(path)")
    }
  }

  var error: SluiceError? { failure.withLock { $0 } }

  /// Takes whole rows, to be written on the file's queue.
  /// - Parameter done: Called there when they are with the system, or have failed, with how many bytes of them the
  ///   system has, up to the end of a row; the buffer is the caller's again.
  func write(_ rows: TextBuffer, done: @escaping @Sendable (Int) -> Void) {
    queue.async { [self] in done(error == nil ? rows.withBytes { write($0) } : 0) }
  }

  private func write(_ rows: UnsafeBufferPointer<UInt8>) -> Int {
    guard let failed = writeBytes(descriptor, UnsafeRawBufferPointer(rows)) else { return rows.count }
    // After an error the file ends with a whole row.
    let torn = rows[..<failed.written].reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    let end = lseek(descriptor, 0, SEEK_END)
    if torn > 0, end >= torn { ftruncate(descriptor, end - off_t(torn)) }
    let remedy: String? =
      failed.error.code == ENOSPC ? "free some space" : failed.error.code == EPIPE ? "its reader has gone" : nil
    failure.withLock { $0 = $0 ?? SluiceError("write", path, errno: failed.error.code, remedy: remedy) }
    return failed.written - torn
  }

  /// Closes it once everything is written.
  func close(done: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if path != "-" { closeFile(descriptor) }
      done()
    }
  }

  /// For a recording that could not begin: removes the file if it was made here.
  func discard() {
    queue.sync {
      guard path != "-" else { return }
      closeFile(descriptor)
      if created { unlink(path) }
    }
  }
}
