/// The bytes of the lines or of one analog channel, block by block. Each object reads the archive in a pass of its own.
final class SigrokBytes {
  private let origin: ZipReader.Origin
  private let entries: SigrokEntries
  /// Bytes of a sample. Each entry has whole samples only.
  private let unit: UInt64
  private var archive: ZipReader?
  private var part = 0
  /// The entry that is read.
  private var entry: String?
  /// Nothing is read after this fault.
  private var fault: ArchiveFault?

  init(_ origin: ZipReader.Origin, _ entries: SigrokEntries, unit: Int) {
    self.origin = origin
    self.entries = entries
    self.unit = UInt64(unit)
  }

  var name: String { entries.name }

  /// More bytes, valid until the next call; nil at the end.
  /// - Throws: The fault after these bytes, at each call.
  func block() throws(ArchiveFault) -> UnsafeRawBufferPointer? {
    if let fault { throw fault }
    do throws(ArchiveFault) { return try next() } catch {
      fault = error
      throw error
    }
  }

  private func next() throws(ArchiveFault) -> UnsafeRawBufferPointer? {
    while true {
      if let archive, let entry {
        do throws(ArchiveFault) {
          if let block = try archive.block() { return block }
        } catch {
          throw error.in(entry, at: archive.offset)
        }
        guard archive.offset % unit == 0 else {
          throw ArchiveFault(text: "it ends in the middle of a sample of \(unit) bytes").in(entry, at: archive.offset)
        }
        part += 1
        self.entry = nil
      }
      guard let next = try entries.entry(part) else {
        archive = nil
        return nil
      }
      try find(next.number, next.name)
      entry = next.name
    }
  }

  /// Goes to an entry. If it is before the entries that were read, the pass begins again.
  private func find(_ number: Int, _ name: String) throws(ArchiveFault) {
    do throws(ArchiveFault) {
      let archive: ZipReader
      if let open = self.archive, open.entryCount <= number { archive = open } else { archive = try ZipReader(origin) }
      self.archive = archive
      while let entry = try archive.next() {
        if entry.number == number, entry.name == name { return }
      }
    } catch {
      throw error.in(name, at: 0)
    }
    throw ArchiveFault(text: "the archive was changed while it was read").in(name, at: 0)
  }
}
