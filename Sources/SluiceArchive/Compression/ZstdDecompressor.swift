import CZstd
import SluiceRecording

/// Zstandard, RFC 8878: a thin wrapper around libzstd.
///
/// Like the command zstd, it refuses frames that need more than 128 MiB of memory.
final class ZstdDecompressor: Decompressor {
  private let context = czstd_load() == nil ? ZSTD_createDCtx() : nil
  private(set) var isBetweenMembers = true
  /// The number of bytes that libzstd asks for next. It gets no more, because after an error its output is not known.
  /// So good blocks before a damaged block are not lost.
  private var wanted = beginning
  /// `ZSTD_error_frameParameter_windowTooLarge` as a result. zstd_errors.h says that this code is stable.
  private static let windowTooLarge = -16
  /// The least number of bytes of a frame.
  private static let beginning = 5

  deinit { if let context { ZSTD_freeDCtx(context) } }

  func reset() {
    if let context { ZSTD_DCtx_reset(context, ZSTD_reset_session_only) }
    (isBetweenMembers, wanted) = (true, Self.beginning)
  }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionFault) -> (taken: Int, given: Int) {
    if let failure = czstd_load() { throw DecompressionFault(missing: "libzstd", failure, package: "libzstd1") }
    guard let context else { throw DecompressionFault("there is not enough memory") }
    if isBetweenMembers, input.isEmpty { return (0, 0) }
    var source = ZSTD_inBuffer(src: input.baseAddress, size: min(input.count, wanted), pos: 0)
    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let hint = ZSTD_decompressStream(context, &target, &source)
    if ZSTD_isError(hint) != 0 {
      guard hint != Self.windowTooLarge else {
        throw DecompressionFault(
          "needs more than 128 MiB of memory; decompress it first with zstd -d --long=31", isDamage: false)
      }
      throw DecompressionFault(ZSTD_getErrorName(hint).map { String(cString: $0) } ?? "error of libzstd")
    }
    isBetweenMembers = hint == 0
    wanted = hint == 0 ? Self.beginning : hint
    return (source.pos, target.pos)
  }
}
