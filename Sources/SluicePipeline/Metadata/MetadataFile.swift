import SluiceReadings
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The file beside a CSV file that describes it, where programs that know W3C's CSV on the Web look for it.
///
/// Written under another name and then renamed, so that whoever finds it finds a whole document.
package struct MetadataFile {
  package let path: String

  /// What follows the name of the CSV file.
  package static let suffix = "-metadata.json"

  package init(beside csv: String) { path = csv + Self.suffix }

  package var exists: Bool { Self.exists(path) }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package func remove() { unlink(path) }

  /// - Parameter kept: The name, without folder, that the file gets which is there; nil to replace it.
  package func write(_ document: JSON, keeping kept: String? = nil) throws(SluiceError) {
    // Of this process alone: a leftover of that name is of one that was killed.
    let temporary = "\(path).\(getpid())"
    unlink(temporary)
    var text = document.lines() + "\n"
    do throws(SystemErrno) {
      let descriptor = try openFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
      defer { closeFile(descriptor) }
      if let failed = text.withUTF8({ writeBytes(descriptor, UnsafeRawBufferPointer($0)) }) { throw failed.error }
      // Not before the new one is written whole.
      if let kept { _ = try valueOrErrno { rename(path, folder + kept) } }
      _ = try valueOrErrno { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw SluiceError(
        "write", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
    }
  }

  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  /// The first name, without folder, under which it can be kept.
  package var nextName: String {
    var number = 1
    while Self.exists(kept(number)) { number += 1 }
    return String(kept(number).dropFirst(folder.count))
  }

  /// What describes the rows that are in the CSV file, for a recording that is appended to them.
  /// - Parameter kept: The name that the file is about to get; nil if there is none, and so nothing describes them.
  package func earlier(kept: String?) -> RecordingMetadata.Earlier {
    guard let kept else { return RecordingMetadata.Earlier(hasUndescribedRows: true) }
    // One that cannot be read is kept all the same.
    let before = try? TraceMetadata(beside: String(path.dropLast(Self.suffix.count)))
    return RecordingMetadata.Earlier(
      files: (before?.earlier ?? []) + [kept], hasUndescribedRows: before?.hasUndescribedRows ?? true)
  }

  private func kept(_ number: Int) -> String { "\(path.dropLast(".json".count)).\(number).json" }
}
