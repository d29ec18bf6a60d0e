package import SluiceReadings
import SluiceSystem

/// The start of a part.
package struct PartStart: Sendable {
  /// The time of its first reading.
  package var time: Int64
  /// The first bytes of the file.
  package var header: [UInt8]
  /// The parts to keep.
  package var keep: Retention?
}

/// Writes the parts of a recording; the newest is open.
///
/// It claims the index. The lock on the index excludes other recordings of the same name.
package final class PartStore: ByteStore, @unchecked Sendable {
  // One thread at a time uses it: first the thread that begins, and then the queue of the output.

  private let file: ClaimedFile
  private let series: PartSeries
  private var index = PartIndex()
  /// What earlier runs have left.
  private var earlier = EarlierParts()
  /// Of these, the parts without a row that are removed when the first part begins: until then they alone say that a run
  /// was killed after the newest part with rows.
  private var removable: [PartName] = []
  /// The path of a part that could neither begin nor be removed.
  private var leftover: String?
  private var part: Part?
  /// The part before the open one, with its size, if it is to be removed. It stays until the open part has a row on the
  /// disk, because until then it is the newest part with rows.
  private var due: (name: PartName, size: Int64)?
  /// The last part that was closed, with all its bytes.
  private var closed: FileExtent?
  /// By stream, the number of readings in the part.
  private var counts: [Int] = []
  private var current: (any ByteStore)?
  /// Makes the store of a part.
  private let makeStore: @Sendable (ClaimedFile) -> any ByteStore
  /// The error of parts that have ended.
  private var failure: SluiceError?
  /// The parts to keep.
  private var keep: Retention?

  /// - Parameter makeStore: Makes the store of a part.
  package init(
    _ file: ClaimedFile, _ series: PartSeries,
    _ makeStore: @escaping @Sendable (ClaimedFile) -> any ByteStore = { FileStore($0) }
  ) {
    self.makeStore = makeStore
    self.file = file
    self.series = series
    keep = series.rotation.keep
  }

  package func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {
    let parts: [PartName]
    do throws(SystemErrno) {
      parts = try series.parts(file.files)
      index = PartIndex(try file.files.contents(of: file.path, limit: 64 << 10)) ?? PartIndex()
    } catch {
      throw SluiceError("write parts of", series.path, errno: error.code)
    }
    index.last = max(index.last, parts.last?.number ?? 0)
    if series.existing == .refuse { try refuseExisting(parts) }
    earlier = try EarlierParts(parts, of: series, file.files, cuts: file.cuts)
    // If the metadata of the newest part lists its streams, the recording has compared them (`AppendCheck`).
    guard let newest = earlier.newest, metadata(of: newest)?.streams == nil else { return }
    let claimed = try ClaimedFile(path: series.path(of: newest), existing: .append, disk: file.disk)
    defer { try? claimed.close() }
    try makeStore(claimed).check(header: header, fault)
  }

  /// Refuses an existing file or part, because a replay would read the file of the name and then its parts.
  private func refuseExisting(_ parts: [PartName]) throws(SluiceError) {
    if !parts.isEmpty {
      throw SluiceError(
        .alreadyExists, "write", series.path, because: "there are parts of it",
        remedy: "choose another name, or --append for further parts", errno: EEXIST)
    }
    guard (try? file.files.status(at: series.file)) != nil else { return }
    throw SluiceError(
      .alreadyExists, "write", series.path, because: "there is a file of that name",
      remedy: "choose another name, or --append for parts that follow it", errno: EEXIST)
  }

  package func begin(header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError) {
    // If another recording has locked one of them, none of them is changed.
    for name in earlier.empty { try withLock(on: name) { (_) throws(SluiceError) in } }
    try repairNewest(header, found)
    try cutEmpty(found)
    for path in (try? series.leftovers(file.files)) ?? [] { try? file.files.remove(path) }
    // The index is written now, so that an error shows before the first reading.
    try keepIndex()
  }

  /// Opens and locks a part while `body` runs.
  private func withLock(
    on name: PartName, _ body: (ClaimedFile) throws(SluiceError) -> Void
  ) throws(SluiceError) {
    let claimed = try ClaimedFile(path: series.path(of: name), existing: .append, disk: file.disk)
    defer { try? claimed.close() }
    try claimed.lock()
    try body(claimed)
  }

  /// Cuts back the parts without a row, and says which of them will be removed: those that follow the newest part with
  /// rows, the last first, so that no number is missing. A part of a run that has come to its end stays: its metadata
  /// says what the run has lost.
  private func cutEmpty(_ found: (OutputEvent) -> Void) throws(SluiceError) {
    for name in earlier.empty.reversed() {
      try withLock(on: name) { (part) throws(SluiceError) in try cut(part, found) }
    }
    removable = earlier.empty.reversed().enumerated().prefix { offset, name in
      name.number == index.last - offset && isOfKilledRun(name)
    }.map(\.element)
    for name in removable { found(.emptyPartRemoved(path: series.path(of: name))) }
  }

  private func removeEmpty() throws(SluiceError) {
    guard !removable.isEmpty else { return }
    let last = index.last
    // The index is written first, because a number in it without a part would be a missing part.
    index.last = last - removable.count
    do throws(SluiceError) { try keepIndex() } catch {
      index.last = last
      throw error
    }
    for (offset, name) in removable.enumerated() {
      let path = series.path(of: name)
      // The metadata is removed first, because nobody would remove it after its part is gone.
      for beside in MetadataFile(beside: path, file.disk).paths { try? file.files.remove(beside) }
      do throws(SystemErrno) { try file.files.remove(path) } catch {
        // The part stays, like a part of a run that has ended, and counts as empty.
        index.last = last - offset
        break
      }
    }
    removable = []
    if file.disk.syncs { try? file.files.sync(folder: series.folder) }
  }

  /// Cuts back a part whose readings are all written again.
  private func cut(_ part: ClaimedFile, _ found: (OutputEvent) -> Void) throws(SluiceError) {
    let size = part.size
    guard size > 0, let identity = part.identity, file.cuts[identity] != nil else { return }
    // Its metadata counts these readings, so it is removed first. If the part then cannot be cut, it has no metadata,
    // and so is not taken for a part of the run.
    for beside in MetadataFile(beside: part.path, file.disk).paths { try? file.files.remove(beside) }
    do throws(SystemErrno) { try file.files.truncate(part.descriptor, to: 0) } catch { throw part.refusal(error.code) }
    found(.cutBack(path: part.path, bytes: size))
  }

  /// Whether the metadata of a part has nothing that must be kept.
  private func isOfKilledRun(_ name: PartName) -> Bool {
    do throws(SluiceError) {
      guard let metadata = try MetadataFile(beside: series.path(of: name), file.disk).read() else { return true }
      return metadata.wasKilled && (metadata.marks ?? []).isEmpty
    } catch {
      return false
    }
  }

  /// Repairs the newest part: the previous run may have ended in the middle of a row. Earlier parts are whole, because
  /// each was synced at its end.
  private func repairNewest(_ header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError) {
    // Parts may follow a file with the name of the recording.
    let newest = earlier.newest
    guard let path = newest.map({ series.path(of: $0) }) ?? (isThere(series.file) ? series.file : nil) else { return }
    let claimed = try ClaimedFile(path: path, existing: .append, disk: file.disk, cuts: file.cuts)
    let store = makeStore(claimed)
    do throws(SluiceError) {
      try claimed.lock()
      let size = claimed.size
      try store.begin(header: ownHeader(of: path, header), found)
      if file.disk.syncs { try store.sync() }
      if newest != nil { try MetadataFile(beside: path, file.disk).setAsideIfUnreadable() }
      if let identity = claimed.identity, file.cuts[identity] != nil, claimed.size < size {
        try? MetadataFile(beside: path, file.disk).forgetEnd()
      }
      // If the metadata cannot be changed, the recording continues.
      try? MetadataFile(beside: path, file.disk).add(
        TraceMetadata.Repair(time: series.observer.clock.now, bytes: max(0, size - claimed.size)))
    } catch {
      try? claimed.close()
      throw error
    }
    // It may have to end its file again.
    try store.close()
    noteClosed(path)
  }

  private func noteClosed(_ path: String) {
    let number = PartName(fileName(of: path))?.number ?? 0
    closed = (try? file.files.status(at: path)).map {
      FileExtent(identity: $0.identity, length: $0.size, part: number)
    }
  }

  /// The header of an earlier part: its own first line, if it has other streams.
  private func ownHeader(of path: String, _ header: [UInt8]) -> [UInt8] {
    guard let beginning = try? file.files.contents(of: path, limit: 64 << 10), !beginning.starts(with: header),
      let feed = beginning.firstIndex(of: UInt8(ascii: "\n")), !beginning[..<feed].contains(0)
    else { return header }
    return Array(beginning[...feed])
  }

  private func isThere(_ path: String) -> Bool { (try? file.files.status(at: path))?.isRegular ?? false }

  /// Adds a line to the index, because the lock belongs to this file, and because a crash then leaves the previous
  /// line. If there are many lines, the file is written anew. If a crash then leaves no line, the names of the parts
  /// give the number.
  private func keepIndex() throws(SluiceError) {
    var text = index.text
    do throws(SystemErrno) {
      if file.size > PartIndex.longest { try file.files.truncate(file.descriptor, to: 0) }
      let (_, error) = text.withUTF8 { file.files.write(all: UnsafeRawBufferPointer($0), to: file.descriptor) }
      if let error { throw error }
      if file.disk.syncs { try file.files.sync(file.descriptor) }
    } catch {
      throw file.refusal(error.code)
    }
  }

  // MARK: Parts

  package func begin(part start: PartStart) throws(SluiceError) {
    keep = start.keep
    endPart()
    try removeEmpty()
    let name = series.name(index.last + 1, start.time)
    let path = series.path(of: name)
    let claimed = try ClaimedFile(path: path, existing: leftover == path ? .overwrite : .refuse, disk: file.disk)
    do throws(SluiceError) {
      try claimed.lock()
      let store = makeStore(claimed)
      try store.begin(header: start.header) { _ in }
      if file.disk.syncs {
        try claimed.sync()
        try claimed.syncFolder()
      }
      current = store
    } catch {
      claimed.discard()
      leftover = (try? file.files.status(at: path)) == nil ? nil : path
      throw error
    }
    leftover = nil
    index.last = name.number
    let part = Part(series: series, name: name, path: path)
    self.part = part
    series.observer.began(part)
    removeOld()
    // The index can be restored from the parts, so the recording goes on without it.
    try? keepIndex()
  }

  /// Ends the open part. The next sync reports an error of its last bytes.
  private func endPart() {
    guard let current, var part else { return }
    part.written = counts
    counts = []
    self.current = nil
    self.part = nil
    do throws(SluiceError) {
      if file.disk.syncs {
        do throws(SluiceError) { try current.sync() } catch {
          try? current.close()
          throw error
        }
      }
      try current.close()
    } catch {
      part.failure = error
      failure = failure ?? error
    }
    noteClosed(part.path)
    series.observer.ended(part)
  }

  package func written(_ rows: EncodedRows, from start: Int, to end: Int) {
    rows.count(into: &counts, from: start, to: end)
  }

  package func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    guard let current else {
      // Bytes must follow the start of a part.
      return (0, SluiceError(.failed, "write", series.path, because: "no part is open"))
    }
    let result = current.write(bytes, wholeUpTo: end)
    // A disk that is full may need the room.
    let isFull = result.error?.errno.map(SystemErrno.ofFullDisk.contains) ?? false
    if isFull || result.kept > 0 && !file.disk.syncs { removeDue() }
    return result
  }

  package func sync() throws(SluiceError) {
    if let failure {
      self.failure = nil
      throw failure
    }
    try current?.sync()
    if counts.contains(where: { $0 > 0 }) { removeDue() }
  }

  package var extent: FileExtent? {
    guard let current, let part else { return closed }
    return current.extent.map { FileExtent(identity: $0.identity, length: $0.length, part: part.name.number) }
  }

  package func close() throws(SluiceError) {
    endPart()
    let index = Result { () throws(SluiceError) in
      try keepIndex()
      if file.disk.syncs { try file.sync() }
    }
    try file.close()
    if let failure { throw failure }
    try index.get()
  }

  package func discard() { try? current?.close() }

  // MARK: Retention

  private func removeOld() {
    due = nil
    guard let keep, let parts = try? series.parts(file.files) else { return }
    var sizes = parts.map { (try? file.files.status(at: series.path(of: $0)))?.size ?? 0 }
    for (number, name) in parts.dropLast().enumerated() {
      let isTooMuch =
        keep.parts.map { parts.count - number > max(1, $0) } ?? false
        || keep.bytes.map { sizes.reduce(0, +) > $0 } ?? false
        || keep.age.map { isOlder(than: $0.nanoseconds, name, next: parts[number + 1]) } ?? false
      guard isTooMuch else { return }
      if number == parts.count - 2 {
        due = (name, sizes[number])
        return
      }
      guard remove(name, sizes[number]) else { return }
      sizes[number] = 0
    }
  }

  private func removeDue() {
    guard let due else { return }
    self.due = nil
    if remove(due.name, due.size) { try? keepIndex() }
  }

  /// Whether the last reading of a part is older. The next part begins after that reading.
  private func isOlder(than age: Int64, _ name: PartName, next: PartName) -> Bool {
    let clock = series.observer.clock
    guard clock.isSynchronised, let metadata = metadata(of: next), metadata.runs.first?.clocks?.isSynchronised ?? false
    else {
      return false
    }
    return next.seconds.map { clock.now / 1_000_000_000 - $0 > age / 1_000_000_000 } ?? false
  }

  private func metadata(of name: PartName) -> TraceMetadata? {
    let path = TraceMetadata.path(beside: series.path(of: name))
    guard let bytes = try? file.files.contents(of: path, limit: TraceMetadata.longest) else { return nil }
    return try? TraceMetadata(bytes, path: path)
  }

  private func remove(_ name: PartName, _ size: Int64) -> Bool {
    let path = series.path(of: name)
    let readings = metadata(of: name)?.ledger.map { ledger in
      ledger.reduce(0) { sum, account in
        let (sum, isOverflow) = sum.addingReportingOverflow(account.written)
        return isOverflow ? .max : sum
      }
    }
    do throws(SystemErrno) {
      // The rows are removed first. If a power cut leaves only the metadata, that is not taken for a part.
      try file.files.remove(path)
    } catch {
      series.observer.failed(SluiceError("remove the old part", path, errno: error.code))
      return false
    }
    for beside in MetadataFile(beside: path, file.disk).paths { try? file.files.remove(beside) }
    index.count(size, readings)
    series.observer.removed(name, of: series, bytes: size, readings: readings)
    return true
  }
}
