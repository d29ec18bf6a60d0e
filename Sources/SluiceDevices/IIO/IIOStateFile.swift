import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// A state file that this process holds the lock of.
///
/// Two bytes of the file are locked; they need not exist. One is locked while the recording runs. The other is locked
/// while a process begins with the file or restores what it lists; this is short, so others wait for it. The locks
/// belong to the open file (fcntl(2), `F_OFD_SETLK`), so the kernel releases them however the process ends. Unlike
/// locks of flock(2), they can be queried without being taken, so a query keeps nobody from beginning.
///
/// Versions before these locks took one by flock(2), which does not see them, nor they it. While both run, each may take
/// the other's file for one that was left. The kernel lets a device be opened once, which is looked at before anything is
/// put back (``IIOState/checkUnused()``); the folder is empty after a boot.
final class IIOStateFile {
  let path: String
  private var descriptor: Int32

  /// Longer than all attributes of the largest device together.
  private static let limit = 1 << 20

  /// What a locked byte says.
  private enum Byte: off_t { case isRunning, isChanging }

  /// A new file, or that of a recording which is no longer running.
  /// - Throws: ``SluiceError/Code/busy`` while its recording runs.
  convenience init(new path: String) throws(SluiceError) {
    try Self.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
    try self.init(path, O_CREAT, isBeginning: true)
    unlock(.isChanging)
  }

  /// One that is left, to be put back.
  /// - Throws: ``SluiceError/Code/notFound`` where there is none, ``SluiceError/Code/busy`` while its recording runs.
  convenience init(existing path: String) throws(SluiceError) { try self.init(path, 0, isBeginning: false) }

  /// Whether its recording runs.
  static func isInUse(_ path: String) -> Bool {
    guard let descriptor = try? openFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { return false }
    defer { closeFile(descriptor) }
    return isLocked(descriptor, .isRunning)
  }

  /// What one says whose recording does not run; nil where it does, or where it is no file of this user.
  static func leftover(_ path: String) -> String? {
    guard let descriptor = try? openFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { return nil }
    defer { closeFile(descriptor) }
    guard isOwn(descriptor), let text = try? text(descriptor) else { return nil }
    // The lock is checked after the text is read: text that was there before a recording took the lock is from an
    // earlier recording. A recording that ended in between has removed the file.
    return isLocked(descriptor, .isRunning) || !isPresent(descriptor, path) ? nil : text
  }

  private init(_ path: String, _ flags: Int32, isBeginning: Bool) throws(SluiceError) {
    self.path = path
    descriptor = -1
    // Whoever had the lock before may have put everything back, and removed it: then there is none, or another.
    repeat {
      close()
      do throws(SystemErrno) {
        descriptor = try openFile(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | flags, mode: 0o600)
        var lock = Self.lock(.isChanging, F_WRLCK)
        _ = try valueOrErrno { fcntl(descriptor, Self.setAndWait, &lock) }
      } catch {
        throw SluiceError("open", path, errno: error.code, remedy: "it keeps what was changed on a device")
      }
      // What it says is written to devices: nobody else may have a say in that.
      guard Self.isOwn(descriptor) else {
        throw SluiceError(.permissionDenied, "use", path, because: "it is no file of this user", remedy: "remove it")
      }
      guard isBeginning ? lock(.isRunning) : !Self.isLocked(descriptor, .isRunning) else {
        throw SluiceError("lock", path, errno: EBUSY, remedy: "another recording from this device is running; stop it")
      }
    } while !Self.isPresent(descriptor, path)
  }

  /// Whether the file of this path is still the one that was opened.
  private static func isPresent(_ descriptor: Int32, _ path: String) -> Bool {
    var (status, present) = (stat(), stat())
    return fstat(descriptor, &status) == 0 && stat(path, &present) == 0 && present.st_ino == status.st_ino
  }

  private static func isOwn(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_uid == geteuid() && status.st_mode & S_IFMT == S_IFREG
  }

  // MARK: Locks

  /// `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW` (include/uapi/asm-generic/fcntl.h).
  private static let (get, set, setAndWait): (Int32, Int32, Int32) = (36, 37, 38)

  private static func lock(_ byte: Byte, _ type: Int32) -> flock {
    flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: byte.rawValue, l_len: 1, l_pid: 0)
  }

  private func lock(_ byte: Byte) -> Bool {
    var lock = Self.lock(byte, F_WRLCK)
    return fcntl(descriptor, Self.set, &lock) == 0
  }

  private func unlock(_ byte: Byte) {
    var lock = Self.lock(byte, F_UNLCK)
    _ = fcntl(descriptor, Self.set, &lock)
  }

  /// By another open file.
  private static func isLocked(_ descriptor: Int32, _ byte: Byte) -> Bool {
    var lock = lock(byte, F_WRLCK)
    return fcntl(descriptor, get, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  deinit { close() }

  /// Lets go of the lock.
  func close() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
  }

  func text() throws(SystemErrno) -> String { try Self.text(descriptor) }

  private static func text(_ descriptor: Int32) throws(SystemErrno) -> String {
    lseek(descriptor, 0, SEEK_SET)
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while text.count < limit {
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
