/// The system calls for the files of a recording.
///
/// It is a protocol, so that a test can use a disk that is full, fails, or forgets unsynced bytes. Each call is one
/// system call, repeated after a signal.
package protocol FileSystem: Sendable {
  /// open(2), for a regular file. The call never waits: a FIFO is opened without its other end, or refused.
  func open(_ path: String, _ flags: Int32) throws(SystemErrno) -> Int32
  /// open(2), for a file that may be a FIFO. It waits for the reader of a FIFO.
  /// - Returns: Nil if it was interrupted.
  func open(_ path: String, _ flags: Int32, isInterrupted: () -> Bool) throws(SystemErrno) -> Int32?
  /// fstat(2)
  func status(of descriptor: Int32) throws(SystemErrno) -> FileStatus
  /// lstat(2): the status of a symbolic link itself.
  func status(at path: String) throws(SystemErrno) -> FileStatus
  /// The folders and links through which a path leads, from the root folder on, and the file at its end.
  func steps(to path: String) -> [PathStep]
  /// statx(2), STATX_BTIME: when a file or a folder was made, in nanoseconds since the epoch. A copy has a time of its
  /// own. Nil if the file system does not know it.
  func birth(of path: String) -> Int64?
  /// flock(2), exclusive, without waiting.
  func lock(_ descriptor: Int32) throws(SystemErrno)
  /// pread(2)
  func read(_ descriptor: Int32, at offset: Int64, into bytes: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int
  /// write(2), which may write less than it is given.
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int
  /// ftruncate(2)
  func truncate(_ descriptor: Int32, to length: Int64) throws(SystemErrno)
  /// fallocate(2), keeping the length: the disk has room for this length when it returns.
  func allocate(_ descriptor: Int32, _ length: Int64) throws(SystemErrno)
  /// fdatasync(2): the bytes and the length of the file are on the disk when it returns.
  func sync(_ descriptor: Int32) throws(SystemErrno)
  /// close(2): the descriptor is closed even if it throws.
  func close(_ descriptor: Int32) throws(SystemErrno)
  /// rename(2)
  func rename(_ path: String, to other: String) throws(SystemErrno)
  /// link(2): a further name of a file.
  func link(_ path: String, to other: String) throws(SystemErrno)
  /// fchown(2) and fchmod(2): gives a file the owner, the group and the mode of another one. What the user may not give is
  /// left as it is.
  func copyOwner(of descriptor: Int32, to other: Int32) throws(SystemErrno)
  /// unlink(2)
  func remove(_ path: String) throws(SystemErrno)
  /// fsync(2) of a folder: the names in it are on the disk when it returns.
  func sync(folder path: String) throws(SystemErrno)
  /// syncfs(2): everything that was written to the disk of a folder is on it when it returns.
  func sync(diskOf folder: String) throws(SystemErrno)
  /// readdir(3): the names in a folder, in no order.
  func names(in folder: String) throws(SystemErrno) -> [String]
  /// mkdir(2)
  func makeFolder(_ path: String) throws(SystemErrno)
  /// rmdir(2)
  func removeFolder(_ path: String) throws(SystemErrno)
}

/// The status of a file from stat(2).
package struct FileStatus: Equatable, Sendable {
  package var identity: FileIdentity
  package var size: Int64

  package init(identity: FileIdentity, size: Int64) { (self.identity, self.size) = (identity, size) }

  package var isRegular: Bool { identity.isRegular }
}

extension FileSystem {
  /// Writes all bytes, in as many calls as needed.
  /// - Returns: The number of bytes written, and the error if these are not all.
  package func write(all bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> (written: Int, error: SystemErrno?) {
    var written = 0
    while written < bytes.count {
      do throws(SystemErrno) {
        let count = try write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
        // POSIX allows a write of 0 bytes, but trying again might never end.
        guard count > 0 else { return (written, SystemErrno(EIO)) }
        written += count
      } catch {
        return (written, error)
      }
    }
    return (written, nil)
  }

  /// Reads from an offset until the buffer is full or the file ends.
  /// - Returns: The number of bytes read.
  package func read(
    _ descriptor: Int32, at offset: Int64, fill bytes: UnsafeMutableRawBufferPointer
  ) throws(SystemErrno) -> Int {
    var count = 0
    while count < bytes.count {
      let more = try read(
        descriptor, at: offset + Int64(count), into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// The whole content of a small file.
  /// - Parameter limit: The largest number of bytes to read.
  package func contents(of path: String, limit: Int) throws(SystemErrno) -> [UInt8] {
    let descriptor = try openToRead(path)
    defer { try? close(descriptor) }
    let size = Int(clamping: try status(of: descriptor).size)
    var bytes = [UInt8](repeating: 0, count: min(size, limit))
    // Before Swift 6.1, typed throws do not pass through closures of the standard library.
    let count = try bytes.withUnsafeMutableBytes { room in
      Result { () throws(SystemErrno) in try read(descriptor, at: 0, fill: room) }
    }.get()
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// The last bytes of a file.
  package func tail(of path: String, limit: Int) throws(SystemErrno) -> [UInt8] {
    let descriptor = try openToRead(path)
    defer { try? close(descriptor) }
    let size = try status(of: descriptor).size
    let start = max(0, size - Int64(limit))
    var bytes = [UInt8](repeating: 0, count: Int(size - start))
    let count = try bytes.withUnsafeMutableBytes { room in
      Result { () throws(SystemErrno) in try read(descriptor, at: start, fill: room) }
    }.get()
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Opens a file that has contents. A FIFO has none, and opening it would take the place of its reader.
  private func openToRead(_ path: String) throws(SystemErrno) -> Int32 {
    if try status(at: path).identity.isFIFO { throw SystemErrno(ESPIPE) }
    return try open(path, O_RDONLY | O_NOFOLLOW)
  }

  /// Replaces the contents of a file in one step: a reader finds either the old or the new contents, whole.
  /// - Parameter syncs: Whether the new contents are on the disk when this returns.
  package func replace(_ path: String, with bytes: [UInt8], syncs: Bool) throws(SystemErrno) {
    // An existing temporary file is from a killed run. With a different name per run, these files would never be
    // removed.
    let temporary = path + temporaryEnding
    try? remove(temporary)
    do throws(SystemErrno) {
      let descriptor = try open(temporary, O_WRONLY | O_CREAT | O_EXCL)
      do throws(SystemErrno) {
        if let error = bytes.withUnsafeBytes({ write(all: $0, to: descriptor) }).error { throw error }
        if syncs { try sync(descriptor) }
      } catch {
        try? close(descriptor)
        throw error
      }
      try close(descriptor)
      try rename(temporary, to: path)
    } catch {
      try? remove(temporary)
      throw error
    }
    if syncs { try sync(folder: folder(of: path)) }
  }
}

/// The ending of the temporary name for replacing a file.
package let temporaryEnding = ".new"
