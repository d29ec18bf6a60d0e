import Dispatch
import Sluice
import SluiceReadings

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
  /// Append to it, if its header is the same.
  case append
  case overwrite
}

/// An append-only file of whole rows, written behind on its own queue.
///
/// Every `write(2)` takes whole rows, so that whatever happens the file ends, at worst, in one torn row.
final class RecordingFile: @unchecked Sendable {
  // The lock protects `failure`; the descriptor is only used on `queue`.

  let path: String
  /// Nil where the system does not say.
  let identity: FileIdentity?
  private let descriptor: Int32
  private let queue: DispatchQueue
  private let existing: ExistingFile
  /// It was not there before.
  private let isCreated: Bool
  private let failure = Locked<SluiceError?>(nil)

  /// Opens the file, and changes nothing that is there.
  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - inputs: Files that are being read, and their paths.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  init(
    path: String, existing: ExistingFile, inputs: [FileIdentity: String], isInterrupted: () -> Bool,
    queue: DispatchQueue
  ) throws(SluiceError) {
    self.path = path
    self.queue = queue
    self.existing = existing
    let opened = path == "-" ? (STDOUT_FILENO, false) : try Self.open(path, existing, isInterrupted)
    (descriptor, isCreated) = opened
    identity = FileIdentity(descriptor: opened.0)
    if let identity, identity.keepsBytes, let input = inputs[identity] {
      discard()
      throw SluiceError.isRead(path == "-" ? "standard output" : path, as: input)
    }
  }

  /// Whether they are one file that keeps what is written.
  func isSame(as other: RecordingFile) -> Bool { identity?.keepsBytes ?? false && identity == other.identity }

  /// Makes it ready for rows, once all files of a recording are open and locked.
  func begin(header: String) throws(SluiceError) {
    guard path != "-", identity?.isRegular ?? false else {
      return try Self.write(header, to: descriptor, path == "-" ? "standard output" : path)
    }
    var status = stat()
    if existing == .append, fstat(descriptor, &status) == 0, status.st_size > 0 { return try Self.check(path, header) }
    if existing == .overwrite {
      do throws(SystemErrno) {
        _ = try valueOrErrno { ftruncate(descriptor, 0) }
      } catch {
        throw SluiceError("overwrite", path, errno: error.code, remedy: "choose another name")
      }
    }
    try Self.write(header, to: descriptor, path)
  }

  /// Opens it without changing what is there.
  private static func open(
    _ path: String, _ existing: ExistingFile, _ isInterrupted: () -> Bool
  ) throws(SluiceError) -> (descriptor: Int32, isCreated: Bool) {
    let flags = O_WRONLY | O_APPEND
    do throws(SystemErrno) {
      return (try openFile(path, flags | O_CREAT | O_EXCL), true)
    } catch  where error.code == EEXIST {
    } catch {
      throw refusal(path, error.code)
    }
    do throws(SystemErrno) {
      // A symbolic link may lead to nothing yet.
      guard
        let descriptor = try openWaiting(
          path, flags | (existing == .refuse ? 0 : O_CREAT), isInterrupted: isInterrupted)
      else {
        throw SystemErrno(EINTR)
      }
      // What is no regular file, such as /dev/null or a pipe, has nothing that could be lost.
      if existing == .refuse, FileIdentity(descriptor: descriptor)?.isRegular ?? true {
        closeFile(descriptor)
        throw SystemErrno(EEXIST)
      }
      return (descriptor, false)
    } catch  where error.code == EINTR {
      throw SluiceError(.interrupted, "write", path, because: "nobody has opened it for reading", errno: EINTR)
    } catch {
      throw refusal(path, existing == .refuse ? EEXIST : error.code)
    }
  }

  private static func refusal(_ path: String, _ code: Int32) -> SluiceError {
    let remedy: String? =
      switch code {
      case EEXIST: "choose another name, --append to append to it or --force to overwrite it"
      case EACCES: "choose a folder that you may write to"
      case ENOENT: "make its folder first"
      default: nil
      }
    return SluiceError("write", path, errno: code, remedy: remedy)
  }

  /// Held until it is closed: rows of two recordings are not to be mixed. Some file systems have no locks.
  func lock() throws(SluiceError) {
    guard path != "-", identity?.isRegular ?? false else { return }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw SluiceError(
      .busy, "write", path, because: "another recording is writing it",
      remedy: "stop that first, or choose another name", errno: EWOULDBLOCK)
  }

  private static func write(_ header: String, to descriptor: Int32, _ name: String) throws(SluiceError) {
    var header = header
    let failed = header.withUTF8 { writeBytes(descriptor, UnsafeRawBufferPointer($0)) }
    if let failed { throw refusal(of: name, failed.error.code) }
  }

  private static func refusal(of name: String, _ code: Int32) -> SluiceError {
    if code == EPIPE { return SluiceError(.failed, "write", name, because: "its reader has gone", errno: code) }
    return SluiceError("write", name, errno: code, remedy: code == ENOSPC ? "free some space" : nil)
  }

  /// A file that is to be appended to must begin with the same header and end with a whole row.
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
        remedy: "cut that row off first: sed -i '$ d' \(quotedForShell(path))")
    }
  }

  var error: SluiceError? { failure.withLock { $0 } }

  /// Writes whole rows, on the file's queue.
  /// - Returns: How many bytes of them the system has, up to the end of a row.
  func write(_ rows: TextBuffer) -> Int { error == nil ? rows.withBytes { write($0) } : 0 }

  private func write(_ rows: UnsafeBufferPointer<UInt8>) -> Int {
    guard let failed = writeBytes(descriptor, UnsafeRawBufferPointer(rows)) else { return rows.count }
    // After an error the file ends with a whole row.
    let torn = rows[..<failed.written].reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    let end = lseek(descriptor, 0, SEEK_END)
    if torn > 0, end >= torn { ftruncate(descriptor, end - off_t(torn)) }
    let error = Self.refusal(of: path == "-" ? "standard output" : path, failed.error.code)
    failure.withLock { $0 = $0 ?? error }
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
    guard path != "-" else { return }
    closeFile(descriptor)
    if isCreated { unlink(path) }
  }

  /// Removes it, once it is closed, unless there is something in it from before.
  /// - Returns: Whether it was removed.
  func remove() -> Bool {
    guard isCreated || existing == .overwrite, identity?.isRegular ?? false else { return false }
    // What a symbolic link leads to is emptied: the link is the user's.
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return truncate(path, 0) == 0 }
    return FileIdentity(path: path) == identity && unlink(path) == 0
  }
}

/// A path as a shell takes it for one word.
package func quotedForShell(_ path: String) -> String {
  let isPlain = path.utf8.allSatisfy { byte in
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "_-./@%+=:,".utf8.contains(byte)
  }
  return isPlain && !path.isEmpty
    ? path : "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
}
