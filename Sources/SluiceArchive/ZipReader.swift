import CZip

/// One pass over the entries of a ZIP archive: a thin wrapper around a handle of libarchive, whose errors are sentences.
///
/// One thread at a time uses it. Whatever the archive says, it needs some 320 KB, and what the directory of the archive
/// takes.
final class ZipReader {
  /// Where an archive is.
  enum Origin {
    case file(String)
    case memory(ZipMemory)
  }

  /// An entry, whose bytes are read before the next entry is asked for, or not at all.
  struct Entry {
    /// Where it stands among the entries, from 0: the same in each pass.
    var number: Int
    /// Nil if the name cannot be told in this locale. Those of a sigrok session are ASCII.
    var name: String?
  }

  /// Bytes that are read at once. A seek to the next entry reads as many again.
  private static let blockSize = 16 << 10

  private let handle: OpaquePointer
  private let origin: Origin
  /// How many entries have begun.
  private(set) var entryCount = 0
  /// How many bytes of the entry have been read.
  private(set) var offset: UInt64 = 0
  /// The entry is stored as it is, or deflated.
  private var isKnownMethod = true

  init(_ origin: Origin) throws(ArchiveFault) {
    if let failure = czip_load() {
      throw ArchiveFault(
        text: "libarchive is not there: \(String(cString: failure))", remedy: "install it: apt install libarchive13")
    }
    guard let handle = czip_new() else { throw ArchiveFault(text: "there is no memory for it") }
    self.handle = handle
    self.origin = origin
    let code =
      switch origin {
      case .file(let path): czip_open_file(handle, path, Self.blockSize)
      case .memory(let memory): czip_open_memory(handle, memory.bytes.baseAddress, memory.bytes.count)
      }
    guard code == CZIP_OK else { throw fault() }
  }

  deinit { czip_free(handle) }

  /// The next entry; nil behind the last.
  func next() throws(ArchiveFault) -> Entry? {
    var entry: OpaquePointer?
    let code = czip_next(handle, &entry)
    if code == CZIP_EOF { return nil }
    // A warning is about a name or a time that cannot be converted.
    guard code == CZIP_OK || code == CZIP_WARN, let entry else { throw fault() }
    defer { entryCount += 1 }
    offset = 0
    // "ZIP 2.0 (deflation)". Other methods may want any amount of memory, and sigrok has none of them.
    let format = czip_format(handle).map { String(cString: $0) } ?? ""
    isKnownMethod = format.hasSuffix("(deflation)") || format.hasSuffix("(uncompressed)")
    return Entry(number: entryCount, name: czip_name(entry).map { String(cString: $0) })
  }

  /// More bytes of the entry, valid until the next call; nil at its end.
  func block() throws(ArchiveFault) -> UnsafeRawBufferPointer? {
    guard isKnownMethod else { throw ArchiveFault(text: "it is compressed in another way than deflate") }
    while true {
      var start: UnsafeRawPointer?
      var count = 0
      var position: Int64 = 0
      let code = czip_block(handle, &start, &count, &position)
      if code == CZIP_EOF { return nil }
      // A warning comes with a wrong checksum.
      guard code == CZIP_OK else { throw fault() }
      guard count > 0, let start else { continue }
      offset += UInt64(count)
      return UnsafeRawBufferPointer(start: start, count: count)
    }
  }

  /// All bytes of the entry; nil if they are more than a limit.
  func bytes(limit: Int) throws(ArchiveFault) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let block = try block() {
      guard block.count <= limit - bytes.count else { return nil }
      bytes += block
    }
    return bytes
  }

  private func fault() -> ArchiveFault {
    let text = czip_error(handle).map { String(cString: $0) } ?? ""
    return ArchiveFault(text: text.isEmpty ? "it is damaged" : text)
  }
}

/// An archive in memory.
final class ZipMemory {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
    copy.copyBytes(from: bytes)
    self.bytes = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { bytes.deallocate() }
}
