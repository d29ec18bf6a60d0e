import Sluice
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The metadata of a recording: beside it while it is written, and then in it too, so that the file is enough.
///
/// In the file are a metadata record for each run, and messages for its marks and its losses. A run that was killed has its
/// metadata only beside the file.
final class MCAPMetadataStore: MetadataStore {
  private let recording: String
  private let disk: Disk
  private let beside: MetadataFile

  init(beside recording: String, _ disk: Disk) {
    (self.recording, self.disk) = (recording, disk)
    beside = MetadataFile(beside: recording, disk)
  }

  var paths: [String] { beside.paths }

  func read() throws(SluiceError) -> TraceMetadata? {
    if let metadata = try beside.read() { return metadata }
    return try MCAPTraceKind.metadata(documents(), recording)
  }

  /// The documents in the file, also if its summary was cut off for a run that goes on.
  private func documents() -> [String] {
    do throws(SystemErrno) {
      let file = try FileBytes.open(recording, disk.files)
      guard let contents = try Contents.read(file, checkedFrom: nil) else { return [] }
      return try MCAPMetadata.documents(contents, file)
    } catch {
      return []
    }
  }

  func begin(
    isAppending: Bool, hasRows: Bool, _ document: (EarlierMetadata?) -> String
  ) throws(SluiceError) -> EarlierMetadata? {
    if isAppending, hasRows, !beside.exists { restore() }
    return try beside.begin(isAppending: isAppending, hasRows: hasRows, document)
  }

  /// Puts what the file knows of its runs beside it, where the metadata of a run that goes on looks for it.
  private func restore() {
    var documents = documents()
    guard let last = documents.popLast() else { return }
    let runs = RunsFile(beside: recording, disk)
    for document in documents {
      guard let metadata = try? TraceMetadata(Array(document.utf8), path: recording) else { continue }
      try? runs.append(Array(document.utf8), metadata)
    }
    try? beside.write(last)
  }

  func update(_ document: String) throws(SluiceError) { try beside.update(document) }

  func end(_ document: String, short: () -> String) throws(SluiceError) {
    try beside.end(document, short: short)
    try RunEnd(recording, disk).add(document)
  }

  func remove() { beside.remove() }
}

/// Adds the metadata of a run that has ended to its file.
struct RunEnd {
  private let path: String
  private let disk: Disk

  init(_ path: String, _ disk: Disk) { (self.path, self.disk) = (path, disk) }

  /// Adds a metadata record, and the messages of marks and losses, before the summary. A file without a whole summary stays as
  /// it is, because the metadata beside it has everything.
  func add(_ document: String) throws(SluiceError) {
    guard let metadata = try? TraceMetadata(Array(document.utf8), path: path),
      let line = RunsFile.line(Array(document.utf8))
    else { return }
    do throws(SystemErrno) {
      let descriptor = try disk.files.open(path, O_RDWR | O_APPEND | O_NOFOLLOW)
      defer { try? disk.files.close(descriptor) }
      // Another recording may have begun to append.
      do throws(SystemErrno) { try disk.files.lock(descriptor) } catch { if error.code == EWOULDBLOCK { return } }
      let file = try FileBytes(disk.files, descriptor, closes: false)
      guard var contents = try Contents.finished(file), contents.isOurs else { return }
      var bytes = Events(metadata).chunk(&contents.summary, at: contents.dataEnd)
      var record = RecordWriter()
      MCAPMetadata.record(
        MCAPMetadata.name,
        [
          (key: "state", value: metadata.state?.rawValue ?? ""),
          (key: MCAPMetadata.key, value: String(decoding: line.dropLast(), as: UTF8.self)),
        ]
      ).write(to: &record)
      contents.summary.metadata.append(
        MetadataIndexRecord(
          offset: UInt64(contents.dataEnd) + UInt64(bytes.count), length: UInt64(record.bytes.count),
          name: MCAPMetadata.name))
      bytes += record.bytes
      var crc = contents.dataCRC.map { CRC32(continuing: $0) }
      bytes.withUnsafeBytes { crc?.add($0) }
      bytes += contents.summary.end(at: contents.dataEnd + Int64(bytes.count), dataCRC: crc?.value)
      try replaceEnd(descriptor, from: contents.dataEnd, with: bytes)
    } catch {
      throw SluiceError("write", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space" : nil)
    }
  }

  /// If there is no room for the new end, the file keeps its chunks and has no summary.
  private func replaceEnd(_ descriptor: Int32, from offset: Int64, with bytes: [UInt8]) throws(SystemErrno) {
    try disk.files.truncate(descriptor, to: offset)
    if let error = bytes.withUnsafeBytes({ disk.files.write(all: $0, to: descriptor) }).error {
      try? disk.files.truncate(descriptor, to: offset)
      throw error
    }
    if disk.syncs { try disk.files.sync(descriptor) }
  }
}
