import CLinux

/// The files of this machine.
package struct SystemFiles: FileSystem {
  /// The mode of new files. The umask reduces it.
  private static let mode: mode_t = 0o666

  package init() {}

  package func open(_ path: String, _ flags: Int32) throws(SystemErrno) -> Int32 {
    // O_NONBLOCK changes nothing for a regular file. If the file is a FIFO, the caller must not wait for its other end.
    try openFile(path, flags | O_NONBLOCK, mode: Self.mode)
  }

  package func open(_ path: String, _ flags: Int32, isInterrupted: () -> Bool) throws(SystemErrno) -> Int32? {
    try openWaiting(path, flags, mode: Self.mode, isInterrupted: isInterrupted)
  }

  package func status(of descriptor: Int32) throws(SystemErrno) -> FileStatus {
    var status = stat()
    _ = try valueOrErrno { fstat(descriptor, &status) }
    return FileStatus(identity: FileIdentity(status), size: Int64(status.st_size))
  }

  package func status(at path: String) throws(SystemErrno) -> FileStatus {
    var status = stat()
    _ = try valueOrErrno { lstat(path, &status) }
    return FileStatus(identity: FileIdentity(status), size: Int64(status.st_size))
  }

  package func steps(to path: String) -> [PathStep] { PathStep.steps(to: path) }

  package func birth(of path: String) -> Int64? {
    var seconds: Int64 = 0
    let nanoseconds = cstatx_birth(path, &seconds)
    // Nobody can set this time, but a damaged file system may have any.
    guard nanoseconds >= 0, (0..<1 << 33).contains(seconds) else { return nil }
    return seconds * 1_000_000_000 + Int64(nanoseconds)
  }

  package func lock(_ descriptor: Int32) throws(SystemErrno) {
    // A program that only asks whether the file is locked shares the lock for a moment (`LockHolder`).
    for _ in 0..<100 {
      do throws(SystemErrno) {
        _ = try valueOrErrno { flock(descriptor, LOCK_EX | LOCK_NB) }
        return
      } catch  where error.code == EWOULDBLOCK {
        _ = try valueOrErrno { flock(descriptor, LOCK_SH | LOCK_NB) }
        _ = try valueOrErrno { flock(descriptor, LOCK_UN) }
        usleep(1_000)
      }
    }
    throw SystemErrno(EWOULDBLOCK)
  }

  package func read(
    _ descriptor: Int32, at offset: Int64, into bytes: UnsafeMutableRawBufferPointer
  ) throws(SystemErrno) -> Int {
    try valueOrErrno { pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int {
    try writeSome(descriptor, bytes)
  }

  package func truncate(_ descriptor: Int32, to length: Int64) throws(SystemErrno) {
    _ = try valueOrErrno { ftruncate(descriptor, off_t(length)) }
  }

  package func sync(_ descriptor: Int32) throws(SystemErrno) { _ = try valueOrErrno { fdatasync(descriptor) } }

  package func close(_ descriptor: Int32) throws(SystemErrno) { try closeFileOrErrno(descriptor) }

  package func rename(_ path: String, to other: String) throws(SystemErrno) {
    try renameFile(path, to: other)
  }

  package func link(_ path: String, to other: String) throws(SystemErrno) {
    // A symbolic link is not followed.
    _ = try valueOrErrno { linkat(AT_FDCWD, path, AT_FDCWD, other, 0) }
  }

  package func copyOwner(of descriptor: Int32, to other: Int32) throws(SystemErrno) {
    var status = stat()
    _ = try valueOrErrno { fstat(descriptor, &status) }
    // Only root may give a file to another user, and anybody to a group of their own.
    if fchown(other, status.st_uid, status.st_gid) != 0 { _ = fchown(other, uid_t.max, status.st_gid) }
    // Some file systems have no modes.
    _ = fchmod(other, status.st_mode & 0o777)
  }

  package func remove(_ path: String) throws(SystemErrno) { _ = try valueOrErrno { unlink(path) } }

  package func allocate(_ descriptor: Int32, _ length: Int64) throws(SystemErrno) {
    _ = try valueOrErrno { cfallocate_keeping_size(descriptor, length) }
  }

  package func makeFolder(_ path: String) throws(SystemErrno) { _ = try valueOrErrno { mkdir(path, 0o777) } }

  package func removeFolder(_ path: String) throws(SystemErrno) { _ = try valueOrErrno { rmdir(path) } }

  package func sync(folder path: String) throws(SystemErrno) {
    let descriptor = try openFile(path, O_RDONLY | O_DIRECTORY)
    defer { closeFile(descriptor) }
    do throws(SystemErrno) {
      _ = try valueOrErrno { fsync(descriptor) }
    } catch  where error.code == EINVAL || error.code == ENOTSUP {
      // A file system that keeps names in another way, such as FUSE.
    }
  }

  package func sync(diskOf folder: String) throws(SystemErrno) {
    let descriptor = try openFile(folder, O_RDONLY | O_DIRECTORY)
    defer { closeFile(descriptor) }
    _ = try valueOrErrno { csyncfs(descriptor) }
  }

  package func names(in folder: String) throws(SystemErrno) -> [String] {
    guard let stream = opendir(folder) else { throw SystemErrno(errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
