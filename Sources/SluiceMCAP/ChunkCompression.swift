#if SLUICE_ARCHIVE
  import CZip
  import CZstd
#endif

/// Compresses and decompresses the messages of chunks. One thread at a time uses it.
final class ChunkCompression {
  /// Why a chunk cannot be decompressed.
  struct Fault: Error, Equatable {
    var text: String
    /// Whether the chunk may be good, but this program cannot read it.
    var isUnsupported = false
  }

  /// The compression of chunks that are written: none without libzstd.
  static var name: String { hasZstd ? "zstd" : "" }

  #if SLUICE_ARCHIVE
    private static let hasZstd = czstd_load() == nil
  #else
    private static let hasZstd = false
  #endif

  #if SLUICE_ARCHIVE
    private var compressor: OpaquePointer?
    private var decompressor: OpaquePointer?

    deinit {
      if let compressor { ZSTD_freeCCtx(compressor) }
      if let decompressor { ZSTD_freeDCtx(decompressor) }
    }
  #endif

  init() {}

  /// The room that compressed bytes may need.
  func bound(_ count: Int) -> Int {
    #if SLUICE_ARCHIVE
      guard Self.hasZstd else { return count }
      let bound = ZSTD_compressBound(count)
      return ZSTD_isError(bound) == 0 ? max(bound, count) : count
    #else
      count
    #endif
  }

  /// Compresses bytes into ``bound(_:)`` bytes of room.
  /// - Returns: The number of bytes there, and the name of the compression. It is empty if they are as they were: without
  ///   libzstd, or without memory for it.
  func compress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawPointer) -> (count: Int, name: String) {
    #if SLUICE_ARCHIVE
      if compressor == nil, Self.hasZstd {
        compressor = ZSTD_createCCtx()
        // The level 1 takes half of the time of the default level 3, and the files are only some hundredths larger.
        if let compressor { ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, 1) }
      }
      if let compressor {
        let size = ZSTD_compress2(compressor, room, bound(bytes.count), bytes.baseAddress, bytes.count)
        if ZSTD_isError(size) == 0 { return (size, "zstd") }
      }
    #endif
    if let from = bytes.baseAddress { room.copyMemory(from: from, byteCount: bytes.count) }
    return (bytes.count, "")
  }

  /// Decompresses the messages of a chunk.
  /// - Parameters:
  ///   - size: The number of bytes of the messages, at most ``MCAP/longestChunk``.
  ///   - room: Gets the messages.
  /// - Throws: A ``Fault``, also if there are more or fewer bytes.
  func decompress(
    _ bytes: UnsafeRawBufferPointer, _ compression: String, size: Int, into room: ByteRoom
  ) throws(Fault) {
    switch compression {
    case "":
      guard bytes.count == size else { throw Fault(text: "its size is wrong") }
      room.empty(for: size)
      room.append(bytes)
    case "zstd":
      #if SLUICE_ARCHIVE
        try decompressZstd(bytes, size, room)
      #else
        throw Fault(
          text: "it is compressed with zstd, and this sluice was built without libzstd", isUnsupported: true)
      #endif
    case "lz4":
      #if SLUICE_ARCHIVE
        try decompressLZ4(bytes, size, room)
      #else
        throw Fault(
          text: "it is compressed with lz4, and this sluice was built without libarchive", isUnsupported: true)
      #endif
    default:
      throw Fault(text: "it is compressed with \"\(compression.prefix(40))\", which is not known")
    }
  }

  #if SLUICE_ARCHIVE
    private func decompressZstd(_ bytes: UnsafeRawBufferPointer, _ size: Int, _ room: ByteRoom) throws(Fault) {
      if let failure = czstd_load() {
        throw Fault(
          text: "it is compressed with zstd, and libzstd cannot be loaded: \(String(cString: failure)); "
            + "install it with apt install libzstd1", isUnsupported: true)
      }
      if decompressor == nil { decompressor = ZSTD_createDCtx() }
      guard let decompressor else { throw Fault(text: "there is no memory to decompress it") }
      // The system has no page for what is not written, so that a size that is not true costs nothing.
      room.empty(for: size)
      let result = ZSTD_decompressDCtx(decompressor, room.start, size, bytes.baseAddress, bytes.count)
      guard ZSTD_isError(result) == 0 else {
        let name = ZSTD_getErrorName(result).map { String(cString: $0) } ?? "error of libzstd"
        throw Fault(text: "it cannot be decompressed: \(name)")
      }
      guard result == size else { throw Fault(text: "it decompresses to another size") }
      room.count = size
    }

    /// The chunks are frames of LZ4, which libarchive reads: only other programs write them.
    private func decompressLZ4(_ bytes: UnsafeRawBufferPointer, _ size: Int, _ room: ByteRoom) throws(Fault) {
      if let failure = czip_load() {
        throw Fault(
          text: "it is compressed with lz4, and libarchive cannot be loaded: \(String(cString: failure)); "
            + "install it with apt install libarchive13", isUnsupported: true)
      }
      guard let archive = czip_new_lz4() else {
        throw Fault(
          text: "it is compressed with lz4, which this libarchive cannot read; convert it first: "
            + "mcap compress --compression zstd", isUnsupported: true)
      }
      defer { _ = czip_free(archive) }
      room.empty(for: size)
      // It would take a text for an archive of no bytes.
      guard bytes.count >= 4, bytes.loadUnaligned(as: UInt32.self).littleEndian == 0x184D_2204 else {
        throw Fault(text: "it is no frame of LZ4")
      }
      func fault() -> Fault {
        Fault(text: "it cannot be decompressed: \(czip_error(archive).map { String(cString: $0) } ?? "damaged LZ4")")
      }
      guard czip_open_memory(archive, bytes.baseAddress, bytes.count) == CZIP_OK else { throw fault() }
      var entry: OpaquePointer?
      var code = czip_next(archive, &entry)
      while code == CZIP_OK {
        var block: UnsafeRawPointer?
        var (count, offset): (Int, Int64) = (0, 0)
        code = czip_block(archive, &block, &count, &offset)
        guard code == CZIP_OK else { break }
        guard count <= size - room.count else { throw Fault(text: "it decompresses to another size") }
        room.append(UnsafeRawBufferPointer(start: block, count: count))
      }
      guard code == CZIP_EOF else { throw fault() }
      guard room.count == size else { throw Fault(text: "it decompresses to another size") }
    }
  #endif
}
