import CZip

/// One pass over the entries of a ZIP archive: a thin wrapper around a handle of libarchive.
///
/// One thread at a time uses it. For any archive it needs about 320 KB, and the memory for the directory of the
/// archive.
final class ZipReader {
  /// The place of an archive.
  enum Origin {
    case file(String)
    case memory(ZipMemory)
  }

  /// An entry. Its bytes must be read before the next entry is asked for.
  struct Entry {
    /// Its number in the archive, from 0: the same in each pass.
    var number: Int
    /// Nil if the name cannot be converted in this locale. The names in a sigrok session are ASCII.
    var name: String?
  }

  /// The number of bytes per read. A seek to the next entry reads this number again.
  private static let blockSize = 16 << 10

  private let handle: OpaquePointer
  private let origin: Origin
  /// The number of entries that have begun.
  private(set) var entryCount = 0
  /// The number of bytes of the entry that have been read.
  private(set) var offset: UInt64 = 0
  /// The name of the entry that began last.
  private var name: String?
  /// Whether the entry is stored or deflated.
  private var isKnownMethod = true

  init(_ origin: Origin) throws(ArchiveFault) {
    if let failure = czip_load() {
      throw ArchiveFault(
        text: "libarchive cannot be loaded: \(String(cString: failure))",
        remedy: "install it with apt install libarchive13")
    }
    guard let handle = czip_new() else { throw ArchiveFault(text: "there is not enough memory") }
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

  /// The next entry; nil after the last.
  func next() throws(ArchiveFault) -> Entry? {
    var entry: OpaquePointer?
    let code = czip_next(handle, &entry)
    if code == CZIP_EOF { return nil }
    // A warning is about a name or a time that cannot be converted.
    guard code == CZIP_OK || code == CZIP_WARN, let entry else {
      var fault = fault()
      // The bytes of that entry may be skipped here.
      if let name { fault.text = "after the beginning of its entry \"\(name)\": \(fault.text)" }
      throw fault
    }
    defer { entryCount += 1 }
    offset = 0
    // "ZIP 2.0 (deflation)". Other methods may need any amount of memory, and sigrok does not use them.
    let format = czip_format(handle).map { String(cString: $0) } ?? ""
    isKnownMethod = format.hasSuffix("(deflation)") || format.hasSuffix("(uncompressed)")
    name = czip_name(entry).map { String(cString: $0) }
    return Entry(number: entryCount, name: name)
  }

  /// More bytes of the entry, valid until the next call; nil at its end.
  func block() throws(ArchiveFault) -> UnsafeRawBufferPointer? {
    guard isKnownMethod else { throw ArchiveFault(text: "it is compressed with another method than deflate") }
    while true {
      var start: UnsafeRawPointer?
      var count = 0
      var position: Int64 = 0
      let code = czip_block(handle, &start, &count, &position)
      if code == CZIP_EOF { return nil }
      // libarchive gives a warning if the checksum is wrong.
      guard code == CZIP_OK else { throw fault() }
      guard count > 0, let start else { continue }
      offset += UInt64(count)
      return UnsafeRawBufferPointer(start: start, count: count)
    }
  }

  /// All bytes of the entry; nil if there are more than the limit.
  func bytes(limit: Int) throws(ArchiveFault) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let block = try block() {
      guard block.count <= limit - bytes.count else { return nil }
      bytes += block
    }
    return bytes
  }

  private func fault() -> ArchiveFault {
    var text = czip_error(handle).map { String(cString: $0) } ?? ""
    // Some texts end with a line feed.
    while text.last?.isWhitespace == true { text.removeLast() }
    return ArchiveFault(text: text.isEmpty ? "it is damaged or cut off" : text)
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
