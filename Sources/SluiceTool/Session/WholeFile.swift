import SluiceReadings
import SluiceSystem

/// Writes a file completely or not at all: it writes another file in the same folder, and renames it.
///
/// It writes directly to a pipe or a device, because a rename would replace it by a file.
enum WholeFile {
  /// Checks before the work that the file can be written.
  static func check(_ path: String) throws(SluiceError) {
    let identity = FileIdentity(path: path)
    if let identity, identity.isDirectory { throw SluiceError("write", path, errno: EISDIR) }
    if identity != nil, access(path, W_OK) != 0 { throw SluiceError("write", path, errno: errno) }
    guard identity == nil else { return }
    if access(folder(of: path), W_OK | X_OK) != 0 { throw SluiceError("write", path, errno: errno) }
    // The name of the other file is longer.
    let name = fileName(of: path).utf8.count
    if name > 255 - ending.utf8.count { throw SluiceError("write", path, errno: ENAMETOOLONG) }
  }

  private static var ending: String { ".\(getpid()).part" }

  static func write(_ text: String, to path: String) throws(SluiceError) { try write(Array(text.utf8), to: path) }

  static func write(_ bytes: [UInt8], to path: String) throws(SluiceError) {
    let isFile = FileIdentity(path: path).map(\.isRegular) ?? true
    let temporary = path + ending
    do throws(SystemErrno) {
      guard isFile else { return try write(bytes, openFile(path, O_WRONLY)) }
      // A process of the same number or another user may have left a file of this name. Nothing is written into that
      // file.
      unlink(temporary)
      try write(bytes, openFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666))
      try renameFile(temporary, to: path)
    } catch {
      if isFile { unlink(temporary) }
      throw SluiceError("write", path, errno: error.code)
    }
  }

  private static func write(_ bytes: [UInt8], _ file: Int32) throws(SystemErrno) {
    let failed = bytes.withUnsafeBytes { writeBytes(file, $0) }
    if let failed {
      closeFile(file)
      throw failed.error
    }
    try closeFileOrErrno(file)
  }
}
