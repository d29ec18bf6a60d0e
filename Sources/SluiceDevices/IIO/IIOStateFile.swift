import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// A state file that this process holds the lock of.
final class IIOStateFile {
  let path: String
  private var descriptor: Int32

  /// Longer than all attributes of the largest device together.
  private static let limit = 1 << 20

  /// A new file, or that of a recording which is no longer running.
  convenience init(new path: String) throws(SluiceError) {
    try Self.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
    try self.init(path, O_RDWR | O_CREAT | O_APPEND)
  }

  /// - Throws: ``SluiceError/Code/notFound`` where there is none, ``SluiceError/Code/busy`` while its recording runs.
  convenience init(existing path: String) throws(SluiceError) { try self.init(path, O_RDWR | O_APPEND) }

  /// Whether its recording runs.
  static func isInUse(_ path: String) -> Bool {
    do throws(SluiceError) {
      _ = try IIOStateFile(existing: path)
      return false
    } catch {
      return error.code == .busy
    }
  }

  private init(_ path: String, _ flags: Int32) throws(SluiceError) {
    let descriptor: Int32
    do throws(SystemErrno) {
      descriptor = try openFile(path, flags | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
    } catch {
      throw SluiceError("open", path, errno: error.code, remedy: "it keeps what was changed on a device")
    }
    self.path = path
    self.descriptor = descriptor
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw SluiceError("lock", path, errno: EBUSY, remedy: "another recording from this device is running; stop it")
    }
    // What it says is written to devices: nobody else may have a say in that.
    var (status, present) = (stat(), stat())
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG else {
      throw SluiceError(.permissionDenied, "use", path, because: "it is no file of this user", remedy: "remove it")
    }
    // Whoever held the lock before may have put everything back, and removed it.
    guard stat(path, &present) == 0, present.st_ino == status.st_ino else {
      throw SluiceError("open", path, errno: ENOENT, remedy: "try again")
    }
  }

  deinit { close() }

  /// Lets go of the lock.
  func close() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
  }

  func text() throws(SystemErrno) -> String {
    lseek(descriptor, 0, SEEK_SET)
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while text.count < Self.limit {
      let count = try readBytes(descriptor, into: &bytes)
      if count == 0 { break }
      text += bytes[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  func append(_ text: String) throws(SluiceError) {
    var text = text
    guard let failed = text.withUTF8({ writeBytes(descriptor, UnsafeRawBufferPointer($0)) }) else { return }
    throw SluiceError("write to", path, errno: failed.error.code, remedy: "make room there, or clear what is left")
  }

  func clear() throws(SluiceError) { try cut(to: 0) }

  /// Takes back what was appended last.
  func withdraw(_ text: String) throws(SluiceError) {
    let end = lseek(descriptor, 0, SEEK_END)
    try cut(to: max(0, end - off_t(text.utf8.count)))
  }

  private func cut(to length: off_t) throws(SluiceError) {
    guard ftruncate(descriptor, length) != 0 else { return }
    throw SluiceError("clear", path, errno: errno, remedy: "remove it")
  }

  /// Before the lock goes, so that nobody finds it without.
  func remove() { unlink(path) }

  private static func makeFolder(_ path: String) throws(SluiceError) {
    // `/run` is there; a fixture's may not be.
    let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    _ = mkdir(String(parent), 0o755)
    guard mkdir(path, 0o755) != 0, errno != EEXIST else { return try checkFolder(path) }
    throw SluiceError(
      "make", path, errno: errno, remedy: "it keeps what is changed on devices: set XDG_RUNTIME_DIR to your own folder")
  }

  /// `/tmp` is everybody's.
  private static func checkFolder(_ path: String) throws(SluiceError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFDIR,
      status.st_mode & 0o022 == 0
    else {
      throw SluiceError(
        .permissionDenied, "use", path, because: "others can write to it, or it is no folder",
        remedy: "remove it, or set XDG_RUNTIME_DIR to a folder of yours")
    }
  }
}
