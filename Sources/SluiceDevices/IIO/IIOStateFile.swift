import SluiceReadings
import SluiceSystem

/// A state file that this process has locked.
///
/// Two bytes of the file are locked; they need not exist. One is locked while the recording runs. The other is locked
/// while a process begins with the file, or undoes its changes. This is short, so other processes wait for it. The
/// locks belong to the open file (fcntl(2), `F_OFD_SETLK`), so the kernel releases them at any end of the process. They
/// can be queried without being taken, unlike locks of flock(2), so a query does not disturb a process that begins.
///
/// Versions before these locks used flock(2). The two kinds of locks do not see each other. If both versions run, each
/// may take the other's file for one that was left. But the kernel allows only one program to open a device, and that
/// is checked before anything is undone (``IIOState/checkUnused()``). The folder is empty after a boot.
final class IIOStateFile {
  let path: String
  private var descriptor: Int32

  /// The largest file. All attributes of the largest device together are shorter.
  private static let limit = 1 << 20

  /// The meaning of a locked byte.
  private enum Byte: off_t { case isRunning, isChanging }

  /// Opens a new file, or the file of a recording that does not run any more.
  /// - Throws: ``SluiceError/Code/busy`` while its recording runs.
  convenience init(new path: String) throws(SluiceError) {
    try Self.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
    try self.init(path, O_CREAT, isBeginning: true)
    unlock(.isChanging)
  }

  /// Opens a file that was left, to undo its changes.
  /// - Throws: ``SluiceError/Code/notFound`` if there is none, ``SluiceError/Code/busy`` while its recording runs.
  convenience init(existing path: String) throws(SluiceError) { try self.init(path, 0, isBeginning: false) }

  /// Whether its recording runs.
  static func isInUse(_ path: String) -> Bool {
    guard let descriptor = try? openFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { return false }
    defer { closeFile(descriptor) }
    return isLocked(descriptor, .isRunning)
  }

  /// The content of a file that was left; nil if its recording runs, or if it is not a file of this user.
  static func leftover(_ path: String) -> String? {
    guard let descriptor = try? openFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { return nil }
    defer { closeFile(descriptor) }
    guard isOwn(descriptor), let text = try? text(descriptor) else { return nil }
    // The lock is checked after the text was read. Text from before a recording took the lock is from an earlier
    // recording. A recording that ended in between has removed the file.
    return isLocked(descriptor, .isRunning) || !isPresent(descriptor, path) ? nil : text
  }

  private init(_ path: String, _ flags: Int32, isBeginning: Bool) throws(SluiceError) {
    self.path = path
    descriptor = -1
    // The previous holder of the lock may have undone everything and removed the file. Then there is no file, or
    // another one.
    repeat {
      close()
      do throws(SystemErrno) {
        descriptor = try openFile(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | flags, mode: 0o600)
        var lock = Self.lock(.isChanging, F_WRLCK)
        _ = try valueOrErrno { fcntl(descriptor, Self.setAndWait, &lock) }
      } catch {
        throw SluiceError("open", path, errno: error.code, remedy: "it keeps what was changed on a device")
      }
      // The file decides what is written to devices, so nobody else may own it.
      guard Self.isOwn(descriptor) else {
        throw SluiceError(.permissionDenied, "use", path, because: "it is no file of this user", remedy: "remove it")
      }
      guard isBeginning ? lock(.isRunning) : !Self.isLocked(descriptor, .isRunning) else {
        throw SluiceError("lock", path, errno: EBUSY, remedy: "another recording from this device is running; stop it")
      }
    } while !Self.isPresent(descriptor, path)
  }

  /// Whether the path still leads to the file that was opened.
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

  /// Whether another open file has locked it.
  private static func isLocked(_ descriptor: Int32, _ byte: Byte) -> Bool {
    var lock = lock(byte, F_WRLCK)
    return fcntl(descriptor, get, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  deinit { close() }

  /// Releases the lock.
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

  /// Removes the text that was appended last.
  func withdraw(_ text: String) throws(SluiceError) {
    let end = lseek(descriptor, 0, SEEK_END)
    try cut(to: max(0, end - off_t(text.utf8.count)))
  }

  private func cut(to length: off_t) throws(SluiceError) {
    guard ftruncate(descriptor, length) != 0 else { return }
    throw SluiceError("clear", path, errno: errno, remedy: "remove it")
  }

  /// Removes the file before the lock is released, so that nobody finds it without a lock.
  func remove() { unlink(path) }

  private static func makeFolder(_ path: String) throws(SluiceError) {
    // `/run` always exists, but the folder of a test fixture may not.
    let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    _ = mkdir(String(parent), 0o755)
    guard mkdir(path, 0o755) != 0, errno != EEXIST else { return try checkFolder(path) }
    throw SluiceError(
      "make", path, errno: errno, remedy: "it keeps what is changed on devices: set XDG_RUNTIME_DIR to your own folder")
  }

  /// Checks the folder, because every user can write to `/tmp`.
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
