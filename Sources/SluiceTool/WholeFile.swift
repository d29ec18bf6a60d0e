import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Writes a file whole or not at all: under another name in the same folder, which is then renamed.
enum WholeFile {
  static func write(_ text: String, to path: String) throws(SluiceError) {
    let temporary = "\(path).\(getpid()).part"
    do throws(SystemErrno) {
      try write(text, temporary: temporary)
      try renameFile(temporary, to: path)
    } catch {
      unlink(temporary)
      throw SluiceError("write", path, errno: error.code)
    }
  }

  private static func write(_ text: String, temporary: String) throws(SystemErrno) {
    // Left over from a process of the same number, or put there by somebody else: neither is written into.
    unlink(temporary)
    let file = try openFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
    var text = text
    let failed = text.withUTF8 { writeBytes(file, UnsafeRawBufferPointer($0)) }
    if let failed {
      closeFile(file)
      throw failed.error
    }
    try closeFileOrErrno(file)
  }
}
