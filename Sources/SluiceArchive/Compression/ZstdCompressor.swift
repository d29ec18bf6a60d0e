import CZstd
import SluiceRecording

/// Makes Zstandard frames with their length and a checksum.
final class ZstdCompressor: Compressor {
  private let context: OpaquePointer?

  init() {
    context = czstd_load() == nil ? ZSTD_createCCtx() : nil
    if let context { ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1) }
  }

  deinit { if let context { ZSTD_freeCCtx(context) } }

  func member(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let context else { return nil }
    let bound = ZSTD_compressBound(bytes.count)
    guard ZSTD_isError(bound) == 0 else { return nil }
    var isWhole = false
    let member = [UInt8](unsafeUninitializedCapacity: bound) { member, written in
      let size = ZSTD_compress2(context, member.baseAddress, bound, bytes.baseAddress, bytes.count)
      isWhole = ZSTD_isError(size) == 0
      written = isWhole ? size : 0
    }
    return isWhole ? member : nil
  }
}
