/// The metadata of a sigrok session, and the entries with its samples.
struct SigrokSession {
  let origin: ZipReader.Origin
  let metadata: SigrokMetadata
  /// The entries of the lines; nil if there are no lines.
  private(set) var lines: SigrokEntries?
  /// The entries of each analog channel.
  private(set) var analog: [SigrokEntries]

  /// The largest number of entries. sigrok writes 4 MiB into each.
  private static let entryLimit = 1 << 18
  private static let versionLimit = 64
  private static let metadataLimit = 1 << 20

  init(_ origin: ZipReader.Origin) throws(ArchiveFault) {
    self.origin = origin
    let (version, metadata) = try Self.beginning(origin)
    let what = "it is a ZIP archive, but not a sigrok session: it has no entry"
    guard let version else { throw ArchiveFault(text: "\(what) \"version\"") }
    guard let metadata else { throw ArchiveFault(text: "\(what) \"metadata\"") }
    let number = String(decoding: version, as: UTF8.self).filter { !$0.isWhitespace }
    guard number == "1" || number == "2" else {
      throw ArchiveFault(
        text: "its version is \"\(number)\", but only sigrok sessions of the versions 1 and 2 can be read",
        remedy: "write it again with sigrok-cli")
    }
    self.metadata = try SigrokMetadata(metadata)
    lines = self.metadata.captureFile.map { SigrokEntries($0) }
    analog = self.metadata.analog.map { SigrokEntries("analog-1-\($0.number)") }
    try list()
  }

  /// Reads the entries `version` and `metadata`.
  private static func beginning(
    _ origin: ZipReader.Origin
  ) throws(ArchiveFault) -> (version: [UInt8]?, metadata: [UInt8]?) {
    let archive = try ZipReader(origin)
    var (version, metadata): ([UInt8]?, [UInt8]?)
    while version == nil || metadata == nil, let entry = try archive.next() {
      if entry.name == "version" { version = try bytes(archive, "version", versionLimit) }
      if entry.name == "metadata" { metadata = try bytes(archive, "metadata", metadataLimit) }
    }
    return (version, metadata)
  }

  private static func bytes(
    _ archive: ZipReader, _ name: String, _ limit: Int
  ) throws(ArchiveFault) -> [UInt8] {
    do throws(ArchiveFault) {
      if let bytes = try archive.bytes(limit: limit) { return bytes }
    } catch {
      throw error.in(name, at: archive.offset)
    }
    throw ArchiveFault(text: "its entry \"\(name)\" is longer than \(limit) bytes")
  }

  /// Finds the entries with samples.
  private mutating func list() throws(ArchiveFault) {
    do throws(ArchiveFault) {
      let archive = try ZipReader(origin)
      while let entry = try archive.next() {
        guard entry.number < Self.entryLimit else {
          throw ArchiveFault(text: "it has more than \(Self.entryLimit) entries")
        }
        guard let name = entry.name else { continue }
        try add(name, entry.number)
      }
    } catch {
      // The entries before it can be read.
      lines?.fault = error
      for index in analog.indices { analog[index].fault = error }
    }
  }

  private mutating func add(_ name: String, _ number: Int) throws(ArchiveFault) {
    if try lines?.add(name, number) ?? false { return }
    for index in analog.indices where try analog[index].add(name, number) { return }
  }
}

extension ArchiveFault {
  /// The same fault with its place.
  func `in`(_ entry: String, at offset: UInt64) -> ArchiveFault {
    ArchiveFault(text: "\(entry), byte \(offset): \(text)", remedy: remedy)
  }
}
