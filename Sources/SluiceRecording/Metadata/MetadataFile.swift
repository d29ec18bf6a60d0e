import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The metadata file beside a recording. For CSV, programs that know W3C's CSV on the Web look for it there.
///
/// It is written under another name and then renamed, so that the document is always whole.
package struct MetadataFile: MetadataStore {
  private let file: String
  private let recording: String
  package var path: String? { file }

  /// The end of its name, after the name of the recording.
  package static let suffix = "-metadata.json"

  package init(beside recording: String) {
    self.recording = recording
    file = recording + Self.suffix
  }

  package func read() throws(SluiceError) -> TraceMetadata? { try TraceMetadata(beside: recording) }

  package func begin(
    isAppending: Bool, hasRows: Bool, _ document: (EarlierMetadata?) -> String
  ) throws(SluiceError) -> EarlierMetadata? {
    let kept = isAppending && exists ? nextName : nil
    let earlier = hasRows ? earlier(kept: kept) : nil
    try write(document(earlier), keeping: kept)
    return earlier
  }

  package func end(_ document: String) throws(SluiceError) { try write(document) }

  package var exists: Bool { Self.exists(file) }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package func remove() { unlink(file) }

  /// - Parameter kept: The new name, without folder, of the file that is there; nil to replace that file.
  package func write(_ document: String, keeping kept: String? = nil) throws(SluiceError) {
    // Of this process alone: a leftover of that name is of one that was killed.
    let temporary = "\(file).\(getpid())"
    unlink(temporary)
    var text = document
    do throws(SystemErrno) {
      let descriptor = try openFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
      defer { closeFile(descriptor) }
      if let failed = text.withUTF8({ writeBytes(descriptor, UnsafeRawBufferPointer($0)) }) { throw failed.error }
      // Not before the new one is written whole.
      if let kept { _ = try valueOrErrno { rename(file, folder + kept) } }
      _ = try valueOrErrno { rename(temporary, file) }
    } catch {
      unlink(temporary)
      throw SluiceError(
        "write", file, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
    }
  }

  private var folder: String { file.lastIndex(of: "/").map { String(file[...$0]) } ?? "" }

  /// The first name, without folder, under which it can be kept.
  package var nextName: String {
    var number = 1
    while Self.exists(kept(number)) { number += 1 }
    return String(kept(number).dropFirst(folder.count))
  }

  /// What describes the rows that are in the file, for a recording that is appended to them.
  /// - Parameter kept: The name that the file is about to get; nil if there is none, and so nothing describes them.
  package func earlier(kept: String?) -> EarlierMetadata {
    guard let kept else { return EarlierMetadata(hasUndescribedRows: true) }
    // One that cannot be read is kept all the same.
    let before = try? read()
    return EarlierMetadata(
      files: (before?.earlier ?? []) + [kept], hasUndescribedRows: before?.hasUndescribedRows ?? true)
  }

  private func kept(_ number: Int) -> String { "\(file.dropLast(".json".count)).\(number).json" }
}
