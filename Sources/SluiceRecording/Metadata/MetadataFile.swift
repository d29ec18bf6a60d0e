import Sluice
package import SluiceReadings
import SluiceSystem

/// The metadata file beside a recording, and the file of its earlier runs. Programs that support W3C's CSV on the Web
/// look for the metadata of CSV there.
///
/// The document is written under another name and then renamed, so that it is always whole. Room for the last document
/// is kept from the beginning, because at the end the disk may be full.
package final class MetadataFile: MetadataStore {
  package let path: String
  private let recording: String
  private let disk: Disk
  private let runs: RunsFile
  private let room: KeptRoom
  /// The bytes of the room.
  private let roomBytes = Locked(0)
  /// Whether the existing document is that of an earlier run, and is not in the runs file yet.
  private let owesKeeping = Locked(false)

  /// The end of its name, after the name of the recording.
  package static let suffix = "-metadata.json"

  package init(beside recording: String, _ disk: Disk = Disk()) {
    self.recording = recording
    self.disk = disk
    path = recording + Self.suffix
    runs = RunsFile(beside: recording, disk)
    room = KeptRoom(path, disk.files)
  }

  package var paths: [String] { [path, runs.path] }

  package func read() throws(SluiceError) -> TraceMetadata? { try document()?.metadata }

  package func begin(
    isAppending: Bool, hasRows: Bool, _ document: (EarlierMetadata?) -> String
  ) throws(SluiceError) -> EarlierMetadata? {
    var earlier = EarlierMetadata(beganAtByte: 0)
    if !isAppending {
      // The existing metadata is about rows that will be overwritten.
      try? disk.files.remove(runs.path)
      try? disk.files.remove(path)
    } else if hasRows {
      owesKeeping.withLock { $0 = true }
      earlier = try keep()
    } else {
      for path in paths where exists(path) { try setAside(path, as: "old") }
    }
    if !disk.syncs { earlier.beganAtByte = nil }
    let document = document(earlier)
    try write(document)
    // A killed run that wrote parts may have left one for all of them.
    if let part = PartName(fileName(of: recording)) {
      KeptRoom(folder(of: recording) + "/" + part.recording + Self.suffix, disk.files).remove()
    }
    keepRoom(for: document)
    return earlier
  }

  /// Takes more room if the document has outgrown what there is. If there is none, the recording goes on: its last
  /// metadata is missing only if the disk is full at the end.
  private func keepRoom(for document: String) {
    let (known, least) = (roomBytes.withLock { $0 }, Self.leastRoom(for: document))
    guard known < least, let bytes = try? room.take(Self.room(for: document), least: least, known: known) else {
      return
    }
    roomBytes.withLock { $0 = bytes }
  }

  /// The bytes that are kept for the last document of a run, whose first document is this one. The last document also
  /// has an account and lists of times.
  package static func room(for document: String) -> Int { 2 * document.utf8.count + (16 << 10) }
  package static func leastRoom(for document: String) -> Int { document.utf8.count + (4 << 10) }

  package func update(_ document: String) throws(SluiceError) {
    if owesKeeping.withLock({ $0 }) { _ = try keep() }
    try write(document)
    keepRoom(for: document)
  }

  package func end(_ document: String, short: () -> String) throws(SluiceError) {
    defer { room.remove() }
    if owesKeeping.withLock({ $0 }) { _ = try keep() }
    do throws(SystemErrno) {
      try disk.files.replace(path, with: Array(document.utf8), room, short: { Array(short().utf8) }, syncs: disk.syncs)
    } catch {
      throw refusal(path, error)
    }
  }

  package func remove() {
    try? disk.files.remove(path)
    room.remove()
  }

  package var exists: Bool { exists(path) }

  private func exists(_ path: String) -> Bool { (try? disk.files.status(at: path)) != nil }

  package func write(_ document: String) throws(SluiceError) {
    do throws(SystemErrno) {
      try disk.files.replace(path, with: Array(document.utf8), syncs: disk.syncs)
    } catch {
      throw refusal(path, error)
    }
  }

  private func refusal(_ path: String, _ error: SystemErrno) -> SluiceError {
    SluiceError("write", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
  }

  /// Keeps the existing document under another name if it cannot be read.
  func setAsideIfUnreadable() throws(SluiceError) {
    do throws(SluiceError) { _ = try document() } catch  where error.code == .malformed {
      try setAside(path, as: "unreadable")
    }
  }

  // MARK: The existing document

  func document() throws(SluiceError) -> (bytes: [UInt8], metadata: TraceMetadata)? {
    var bytes: [UInt8]?
    do throws(SystemErrno) {
      // Reading a FIFO would block.
      if try disk.files.status(at: path).isRegular {
        bytes = try disk.files.contents(of: path, limit: TraceMetadata.longest + 1)
      }
    } catch {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.code) { return nil }
      throw SluiceError("read", path, errno: error.code)
    }
    guard let bytes else { throw TraceMetadata.malformed(path, "it is not a regular file") }
    return (bytes, try TraceMetadata(bytes, path: path))
  }

  /// Adds the existing document to the earlier runs. A document that cannot be read is kept under another name.
  private func keep() throws(SluiceError) -> EarlierMetadata {
    var earlier = EarlierMetadata(beganAtByte: (try? disk.files.status(at: recording))?.size)
    do throws(SluiceError) {
      if let (bytes, metadata) = try document() {
        guard (0...1 << 53).contains(metadata.earlierRuns) else {
          throw TraceMetadata.malformed(path, "it says that there were \(metadata.earlierRuns) earlier runs")
        }
        try runs.append(bytes, metadata)
        earlier.runs = metadata.earlierRuns + 1
        earlier.hasUndescribedRows = metadata.hasUndescribedRows
      } else {
        (earlier.runs, earlier.hasUndescribedRows) = (try runs.count(), hasMoreThanAHeader)
      }
    } catch  where error.code == .malformed {
      try setAside(path, as: "unreadable")
      (earlier.runs, earlier.hasUndescribedRows) = (try runs.count(), true)
    }
    owesKeeping.withLock { $0 = false }
    return earlier
  }

  /// Whether there is more than a header. A run that died before its document was written leaves only a header.
  private var hasMoreThanAHeader: Bool {
    guard let beginning = try? disk.files.contents(of: recording, limit: 64 << 10) else { return true }
    let feed = beginning.firstIndex(of: UInt8(ascii: "\n"))
    return JSONCursor.beginsObject(beginning) || feed.map { $0 + 1 } != beginning.count
  }

  /// Renames a file to an unused name.
  private func setAside(_ path: String, as ending: String) throws(SluiceError) {
    var name = "\(path).\(ending)"
    var number = 1
    while exists(name) {
      number += 1
      name = "\(path).\(ending).\(number)"
    }
    do throws(SystemErrno) {
      try disk.files.rename(path, to: name)
      if disk.syncs { try disk.files.sync(folder: folder(of: path)) }
    } catch {
      throw SluiceError("rename", path, errno: error.code)
    }
  }
}
