import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Writes a file whole or not at all: under another name in the same folder, which is then renamed.
///
/// A pipe or a device is written to as it is: a rename would replace it by a file.
enum WholeFile {
  /// Finds out before a run what would fail after it, or destroy a file of the run.
  /// - Parameter files: The files that are read or written. Their metadata has their names with an ending.
  static func check(_ path: String, isNoneOf files: [String]) throws(SluiceError) {
    let identity = FileIdentity(path: path)
    for file in files where file != "-" {
      let endings = ["", "-metadata.json", "-runs.jsonl", "-parts.jsonl"]
      let isSame = identity.map { $0.keepsBytes && $0 == FileIdentity(path: file) } ?? false
      guard isSame || endings.contains(where: { path == file + $0 }) else { continue }
      throw SluiceError(
        .usage, "write", path, because: "it is a file of this run", remedy: "give a file of another name")
    }
    if let identity, identity.isDirectory { throw SluiceError("write", path, errno: EISDIR) }
    if identity != nil, access(path, W_OK) != 0 { throw SluiceError("write", path, errno: errno) }
    guard identity == nil else { return }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    if access(String(folder), W_OK | X_OK) != 0 { throw SluiceError("write", path, errno: errno) }
  }

  static func write(_ text: String, to path: String) throws(SluiceError) {
    let isFile = FileIdentity(path: path).map(\.isRegular) ?? true
    let temporary = "\(path).\(getpid()).part"
    do throws(SystemErrno) {
      guard isFile else { return try write(text, openFile(path, O_WRONLY)) }
      // Left over from a process of the same number, or put there by somebody else: neither is written into.
      unlink(temporary)
      try write(text, openFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666))
      try renameFile(temporary, to: path)
    } catch {
      if isFile { unlink(temporary) }
      throw SluiceError("write", path, errno: error.code)
    }
  }

  private static func write(_ text: String, _ file: Int32) throws(SystemErrno) {
    var text = text
    let failed = text.withUTF8 { writeBytes(file, UnsafeRawBufferPointer($0)) }
    if let failed {
      closeFile(file)
      throw failed.error
    }
    try closeFileOrErrno(file)
  }
}
