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

/// A file that a recording is about to write: open, and locked against other recordings.
///
/// What is there is not changed before ``lock()``, when every file of the recording is known to be its own.
package final class ClaimedFile: Sendable {
  package let path: String
  /// As errors call it.
  package var name: String { path == "-" ? "standard output" : path }
  /// Nil where the system does not say.
  package let identity: FileIdentity?
  package let descriptor: Int32
  package let existing: ExistingFile
  /// It was not there before.
  private let isCreated: Bool

  /// Opens the file, and changes nothing that is there.
  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - inputs: Files that are being read, and their paths.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  package init(
    path: String, existing: ExistingFile, inputs: [FileIdentity: String], isInterrupted: () -> Bool
  ) throws(SluiceError) {
    self.path = path
    self.existing = existing
    let opened = path == "-" ? (STDOUT_FILENO, false) : try Self.open(path, existing, isInterrupted)
    (descriptor, isCreated) = opened
    identity = FileIdentity(descriptor: opened.0)
    if let identity, identity.keepsBytes, let input = inputs[identity] {
      discard()
      throw SluiceError.isRead(name, as: input)
    }
  }

  /// A pipe, a terminal or a device is none.
  package var isRegular: Bool { path != "-" && identity?.isRegular ?? false }

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
  package func lock() throws(SluiceError) {
    guard isRegular else { return }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw SluiceError(
      .busy, "write", path, because: "another recording is writing it",
      remedy: "stop that first, or choose another name", errno: EWOULDBLOCK)
  }

  /// Whether rows are there that new ones are to follow.
  package var isContinued: Bool {
    var status = stat()
    return existing == .append && isRegular && fstat(descriptor, &status) == 0 && status.st_size > 0
  }

  /// Removes what is in a file that is to be overwritten.
  package func empty() throws(SluiceError) {
    guard existing == .overwrite, isRegular else { return }
    do throws(SystemErrno) {
      _ = try valueOrErrno { ftruncate(descriptor, 0) }
    } catch {
      throw SluiceError("overwrite", path, errno: error.code, remedy: "choose another name")
    }
  }

  func refusal(_ code: Int32) -> SluiceError {
    if code == EPIPE { return SluiceError(.failed, "write", name, because: "its reader has gone", errno: code) }
    return SluiceError("write", name, errno: code, remedy: code == ENOSPC ? "free some space" : nil)
  }

  package func close() throws(SluiceError) {
    guard path != "-" else { return }
    do throws(SystemErrno) { try closeFileOrErrno(descriptor) } catch { throw refusal(error.code) }
  }

  /// For a recording that could not begin: removes the file if it was made here.
  package func discard() {
    guard path != "-" else { return }
    closeFile(descriptor)
    if isCreated { unlink(path) }
  }

  /// Removes it, once it is closed, unless there is something in it from before.
  /// - Returns: Whether it was removed.
  package func remove() -> Bool {
    guard isCreated || existing == .overwrite, isRegular else { return false }
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
  if isPlain, !path.isEmpty { return path }
  // By scalars: a quote with a combining character behind it is another `Character`.
  let scalars = path.unicodeScalars.flatMap { $0 == "'" ? Array("'\\''".unicodeScalars) : [$0] }
  return "'" + String(String.UnicodeScalarView(scalars)) + "'"
}
