import CZstd
package import SluiceReadings
package import SluiceRecording

/// Zstandard, RFC 8878.
package enum ZstdCompression: Compression {
  package static let name = "zstd"
  package static let ending = "zst"

  /// A frame, or a skippable frame, with which pzstd begins.
  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    guard let first = beginning.first else { return false }
    return beginning.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
      || first >> 4 == 5 && beginning.starts(with: [first, 0x2a, 0x4d, 0x18])
  }

  package static func load() throws(SluiceError) {
    if let failure = czstd_load() { throw SluiceError(loading: "libzstd", because: failure, package: "libzstd1") }
  }

  package static func decompressor() -> any Decompressor { ZstdDecompressor() }
  package static func compressor() -> any Compressor { ZstdCompressor() }
}
