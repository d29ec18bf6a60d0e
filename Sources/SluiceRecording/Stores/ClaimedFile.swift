package import SluiceReadings

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
  package let disk: Disk
  /// If it is the index of a recording in parts, these parts.
  package let series: PartSeries?
  /// The compression of the file; nil if it is not compressed.
  package let compression: (any Compression.Type)?
  /// It was not there before.
  package let isCreated: Bool

  package var files: any FileSystem { disk.files }

  /// Opens the file, and changes nothing that is there.
  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - inputs: Files that are being read, and their paths.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  package init(
    path: String, existing: ExistingFile, disk: Disk = Disk(), series: PartSeries? = nil,
    compression: (any Compression.Type)? = nil, inputs: [FileIdentity: String] = [:],
    isInterrupted: () -> Bool = { false }
  ) throws(SluiceError) {
    self.path = path
    self.existing = existing
    self.disk = disk
    self.series = series
    self.compression = compression
    let opened = path == "-" ? (STDOUT_FILENO, false) : try Self.open(path, existing, disk.files, isInterrupted)
    (descriptor, isCreated) = opened
    identity = (try? disk.files.status(of: opened.0))?.identity
    if let identity, identity.keepsBytes, let input = inputs[identity] {
      discard()
      throw SluiceError.isRead(name, as: input)
    }
  }

  /// A pipe, a terminal or a device is none.
  package var isRegular: Bool { path != "-" && identity?.isRegular ?? false }

  /// Opens it and changes nothing. The type is checked on the open file, because a path may lead to another file a
  /// moment later.
  private static func open(
    _ path: String, _ existing: ExistingFile, _ files: any FileSystem, _ isInterrupted: () -> Bool
  ) throws(SluiceError) -> (descriptor: Int32, isCreated: Bool) {
    let flags = O_WRONLY | O_APPEND
    do throws(SystemErrno) {
      return (try files.open(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW), true)
    } catch  where error.code == EEXIST {
    } catch {
      throw refusal(path, error.code)
    }
    do throws(SystemErrno) {
      guard
        let descriptor = try files.open(
          path, flags | (existing == .refuse ? 0 : O_CREAT) | O_NOFOLLOW, isInterrupted: isInterrupted)
      else {
        throw SystemErrno(EINTR)
      }
      // What is no regular file, such as /dev/null or a pipe, has nothing that could be lost.
      if existing == .refuse, isRegular(descriptor, files) {
        try? files.close(descriptor)
        throw SystemErrno(EEXIST)
      }
      return (descriptor, false)
    } catch  where error.code == EINTR {
      throw SluiceError(.interrupted, "write", path, because: "nobody has opened it for reading", errno: EINTR)
    } catch  where error.code == ELOOP && existing != .refuse {
      return (try openLink(path, flags, files, isInterrupted), false)
    } catch {
      throw refusal(path, existing == .refuse ? EEXIST : error.code)
    }
  }

  /// Follows a symbolic link only to something that holds no data: /dev/stdout is such a link. In a folder that others
  /// may write to, somebody else may have made the link.
  private static func openLink(
    _ path: String, _ flags: Int32, _ files: any FileSystem, _ isInterrupted: () -> Bool
  ) throws(SluiceError) -> Int32 {
    let descriptor = try? files.open(path, flags, isInterrupted: isInterrupted)
    if let descriptor {
      if !isRegular(descriptor, files) { return descriptor }
      try? files.close(descriptor)
    }
    throw SluiceError(
      .usage, "write", path, because: "it is a symbolic link", remedy: "give the path of the file that it leads to",
      errno: ELOOP)
  }

  private static func isRegular(_ descriptor: Int32, _ files: any FileSystem) -> Bool {
    (try? files.status(of: descriptor))?.isRegular ?? true
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
    do throws(SystemErrno) {
      try files.lock(descriptor)
    } catch  where error.code == EWOULDBLOCK {
      throw SluiceError(
        .busy, "write", path, because: "another recording is writing it",
        remedy: "stop that first, or choose another name", errno: EWOULDBLOCK)
    } catch {
    }
  }

  /// How many bytes it has.
  package var size: Int64 { (try? files.status(of: descriptor))?.size ?? 0 }

  /// Whether rows are there that new ones are to follow.
  package var isContinued: Bool { existing == .append && isRegular && size > 0 }

  /// Removes what is in a file that is to be overwritten.
  package func empty() throws(SluiceError) {
    guard existing == .overwrite, isRegular else { return }
    do throws(SystemErrno) {
      try files.truncate(descriptor, to: 0)
    } catch {
      throw SluiceError("overwrite", path, errno: error.code, remedy: "choose another name")
    }
  }

  package func refusal(_ code: Int32) -> SluiceError {
    if code == EPIPE { return SluiceError(.failed, "write", name, because: "its reader has gone", errno: code) }
    return SluiceError("write", name, errno: code, remedy: code == ENOSPC ? "free some space" : nil)
  }

  /// What was written is on the disk when it returns.
  package func sync() throws(SluiceError) {
    guard isRegular else { return }
    do throws(SystemErrno) {
      try files.sync(descriptor)
    } catch {
      throw SluiceError(
        "sync", path, errno: error.code,
        remedy: "what was written since the last sync may be lost; see dmesg, and replace the disk if it fails")
    }
  }

  /// Its name is on the disk when it returns.
  package func syncFolder() throws(SluiceError) {
    guard isRegular else { return }
    let folder = folder(of: path)
    do throws(SystemErrno) { try files.sync(folder: folder) } catch {
      throw SluiceError("sync the folder", folder, errno: error.code)
    }
  }

  package func close() throws(SluiceError) {
    guard path != "-" else { return }
    do throws(SystemErrno) { try files.close(descriptor) } catch { throw refusal(error.code) }
  }

  /// For a recording that could not begin: removes the file if it was made here.
  package func discard() {
    guard path != "-" else { return }
    try? files.close(descriptor)
    if isCreated { try? files.remove(path) }
  }

  /// Removes it, once it is closed, unless there is something in it from before.
  /// - Returns: Whether it was removed.
  package func remove() -> Bool {
    guard isCreated || existing == .overwrite, isRegular, let identity else { return false }
    do throws(SystemErrno) {
      guard try files.status(at: path).identity == identity else { return false }
      try files.remove(path)
      return true
    } catch {
      return false
    }
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
