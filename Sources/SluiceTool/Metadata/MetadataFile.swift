import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The file beside a CSV file that describes it, where programs that know W3C's CSV on the Web look for it.
///
/// Written under another name and then renamed, so that whoever finds it finds a whole document.
struct MetadataFile {
  let path: String

  init(beside csv: String) { path = csv + "-metadata.json" }

  var exists: Bool { fileExists(path) }

  func write(_ document: JSON) throws(SluiceError) {
    // Of this process alone: a leftover of that name is of one that was killed.
    let temporary = "\(path).\(getpid())"
    unlink(temporary)
    var text = document.lines() + "\n"
    do throws(SystemErrno) {
      let descriptor = try openFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
      defer { closeFile(descriptor) }
      if let failed = text.withUTF8({ writeBytes(descriptor, UnsafeRawBufferPointer($0)) }) { throw failed.error }
      _ = try valueOrErrno { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw SluiceError(
        "write", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
    }
  }

  /// Gives the file another name, for a recording that goes on where that one ended.
  /// - Returns: The names, without folder, of all that were kept so.
  func keep() throws(SluiceError) -> [String] {
    var number = 1
    while fileExists(kept(number)) { number += 1 }
    if exists {
      do throws(SystemErrno) {
        _ = try valueOrErrno { rename(path, kept(number)) }
      } catch {
        throw SluiceError("rename", path, errno: error.code)
      }
      number += 1
    }
    return (1..<number).map { kept($0).split(separator: "/").last.map(String.init) ?? "" }
  }

  private func kept(_ number: Int) -> String { "\(path.dropLast(".json".count)).\(number).json" }
}
