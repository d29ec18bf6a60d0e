public import SluiceReadings
package import SluiceSystem

/// What to do if the file exists.
public enum ExistingFile: Sendable {
  /// Fail, and leave the file unchanged.
  case refuse
  /// Append to the file, if its header is the same.
  case append
  case overwrite
}

/// A file that a recording will write: open, and locked against other recordings.
///
/// The contents are not changed before ``lock()``, when every file of the recording is known to be its own.
public final class ClaimedFile: Sendable {
  /// The path; `-` is standard output.
  public let path: String
  /// The name in errors.
  public var name: String { path == "-" ? "standard output" : path }
  /// The identity; nil if the system does not have one.
  package let identity: FileIdentity?
  /// The descriptor, which is open until ``close()``.
  public let descriptor: Int32
  /// What to do with existing contents.
  public let existing: ExistingFile
  package let disk: Disk
  /// The parts, if the file is the index of a recording in parts.
  package let series: PartSeries?
  /// The compression of the file; nil if it is not compressed.
  package let compression: (any Compression.Type)?
  /// Whether opening it created it.
  package let isCreated: Bool
  /// By file, the length to which it is cut back before rows are appended. The readings behind it are written again.
  package let cuts: [FileIdentity: Int64]

  package var files: any FileSystem { disk.files }

  /// Opens the file. It changes no existing contents.
  /// - Parameters:
  ///   - path: A path, or `-` for standard output.
  ///   - inputs: The identities and the paths of the files that are read.
  ///   - cuts: By file, the length to which it is cut back before rows are appended.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  package init(
    path: String, existing: ExistingFile, disk: Disk = Disk(), series: PartSeries? = nil,
    compression: (any Compression.Type)? = nil, inputs: [FileIdentity: String] = [:],
    cuts: [FileIdentity: Int64] = [:], isInterrupted: () -> Bool = { false }
  ) throws(SluiceError) {
    self.path = path
    self.existing = existing
    self.disk = disk
    self.series = series
    self.compression = compression
    self.cuts = cuts
    let opened = path == "-" ? (STDOUT_FILENO, false) : try Self.open(path, existing, disk.files, isInterrupted)
    (descriptor, isCreated) = opened
    identity = (try? disk.files.status(of: opened.0))?.identity
    if let identity, identity.keepsBytes, let input = inputs[identity] {
      discard()
      throw SluiceError.isRead(name, as: input)
    }
  }

  /// Whether it is a regular file, not a pipe, a terminal or a device.
  public var isRegular: Bool { path != "-" && identity?.isRegular ?? false }

  /// Opens the file without changing it. The type is checked on the open file, because a moment later the path may lead
  /// to another file.
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
      // A file that is not regular, such as /dev/null or a pipe, has no contents to lose.
      if existing == .refuse, isRegular(descriptor, files) {
        try? files.close(descriptor)
        throw SystemErrno(EEXIST)
      }
      return (descriptor, false)
    } catch  where error.code == EINTR {
      throw SluiceError(.interrupted, "write", path, because: "nobody has opened it for reading", errno: EINTR)
    } catch  where error.code == ELOOP {
      do throws(SluiceError) {
        return (try openLink(path, flags, files, isInterrupted), false)
      } catch {
        throw existing == .refuse ? refusal(path, EEXIST) : error
      }
    } catch {
      throw refusal(path, existing == .refuse ? EEXIST : error.code)
    }
  }

  /// Follows a symbolic link only to a file without data: /dev/stdout is such a link. In a folder that others can write
  /// to, somebody else may have made the link.
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

  /// Locks the file until it is closed, so that rows of two recordings cannot mix. Some file systems do not support
  /// locks.
  public func lock() throws(SluiceError) {
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

  /// The size in bytes.
  public var size: Int64 { (try? files.status(of: descriptor))?.size ?? 0 }

  /// Whether new rows will follow existing rows.
  public var isContinued: Bool { existing == .append && isRegular && size > 0 }

  /// Removes the contents of a file that is overwritten.
  public func empty() throws(SluiceError) {
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

  /// Writes the first bytes of a new file.
  func write(header: [UInt8]) throws(SluiceError) {
    if let error = header.withUnsafeBytes({ files.write(all: $0, to: descriptor) }).error { throw refusal(error.code) }
  }

  /// Syncs the file: everything written is on the disk when it returns.
  public func sync() throws(SluiceError) {
    guard isRegular else { return }
    do throws(SystemErrno) {
      try files.sync(descriptor)
    } catch {
      throw SluiceError(
        "sync", path, errno: error.code,
        remedy: "what was written since the last sync may be lost; see dmesg, and replace the disk if it fails")
    }
  }

  /// Syncs the folder: the name of the file is on the disk when it returns.
  package func syncFolder() throws(SluiceError) {
    guard isRegular else { return }
    let folder = folder(of: path)
    do throws(SystemErrno) { try files.sync(folder: folder) } catch {
      throw SluiceError("sync the folder", folder, errno: error.code)
    }
  }

  /// Closes the file, and so gives up its lock.
  public func close() throws(SluiceError) {
    guard path != "-" else { return }
    do throws(SystemErrno) { try files.close(descriptor) } catch { throw refusal(error.code) }
  }

  /// Closes the file of a recording that could not begin, and removes it if it was created here.
  public func discard() {
    guard path != "-" else { return }
    try? files.close(descriptor)
    if isCreated { try? files.remove(path) }
  }

  /// Removes the file after it was closed, unless it has earlier contents.
  /// - Returns: Whether it was removed.
  func remove() -> Bool {
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

/// A path quoted as one word for a shell.
package func quotedForShell(_ path: String) -> String {
  let isPlain = path.utf8.allSatisfy { byte in
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "_-./@%+=:,".utf8.contains(byte)
  }
  if isPlain, !path.isEmpty { return path }
  // By scalars, because a quote followed by a combining character is a different `Character`.
  let scalars = path.unicodeScalars.flatMap { $0 == "'" ? Array("'\\''".unicodeScalars) : [$0] }
  return "'" + String(String.UnicodeScalarView(scalars)) + "'"
}

extension SluiceError {
  /// The error for an output that is also an input.
  /// - Parameter input: The path of the input.
  package static func isRead(_ path: String, as input: String) -> SluiceError {
    SluiceError(
      .usage, "write", path,
      because: path == input ? "it is being read" : "it is the same file as \(input), which is read",
      remedy: "write to another file")
  }
}
