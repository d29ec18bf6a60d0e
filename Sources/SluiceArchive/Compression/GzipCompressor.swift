import CZlib
import SluiceRecording

/// Makes gzip members without a file name and without a time, so that the same readings give the same bytes.
final class GzipCompressor: Compressor {
  /// zlib finds its state by this address.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let isReady: Bool

  /// - Parameter level: 1 is fast, and 9 makes the fewest bytes.
  init(level: Int32 = Z_DEFAULT_COMPRESSION) {
    stream.initialize(to: z_stream())
    // 15 is the largest window, 16 means gzip, and 8 is the default use of memory.
    isReady =
      czlib_load() == nil
      && deflateInit2_(
        stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    if isReady { deflateEnd(stream) }
    stream.deallocate()
  }

  func member(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard isReady, let count = UInt32(exactly: bytes.count) else { return nil }
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    guard let room = UInt32(exactly: bound) else { return nil }
    defer { deflateReset(stream) }
    var isWhole = false
    let member = [UInt8](unsafeUninitializedCapacity: bound) { member, written in
      stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_in = count
      stream.pointee.next_out = member.baseAddress
      stream.pointee.avail_out = room
      isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
      written = bound - Int(stream.pointee.avail_out)
    }
    return isWhole ? member : nil
  }
}
