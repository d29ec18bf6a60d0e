#if SLUICE_ARCHIVE
  import CZlib
#endif

/// CRC-32 as MCAP and zlib have it: the polynomial 0xEDB88320.
package struct CRC32 {
  package private(set) var value: UInt32 = 0

  package init() {}

  /// Goes on behind bytes with this checksum.
  package init(continuing value: UInt32) { self.value = value }

  package init(_ bytes: UnsafeRawBufferPointer) { add(bytes) }

  package init(_ bytes: [UInt8]) { self = bytes.withUnsafeBytes { CRC32($0) } }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    #if SLUICE_ARCHIVE
      if Self.hasZlib, let start = bytes.bindMemory(to: UInt8.self).baseAddress {
        value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, bytes.count))
        return
      }
    #endif
    var rest = ~value
    for byte in bytes {
      rest = Self.table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ (rest >> 8)
    }
    value = ~rest
  }

  #if SLUICE_ARCHIVE
    // zlib is several times as fast.
    private static let hasZlib = czlib_load() == nil
  #endif

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
  }
}
