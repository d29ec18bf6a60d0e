import CZlib
import SluiceRecording

/// gzip, RFC 1952: a thin wrapper around zlib, which compares the checksum of each member.
///
/// libarchive reads gzip too, but returns nothing before it has 64 KiB, so a slow pipe would be replayed late. It also
/// does not compare checksums.
final class GzipDecompressor: Decompressor {
  /// zlib finds its state by this address.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let isReady: Bool
  private(set) var isBetweenMembers = true
  /// The fault after the bytes that were returned last.
  private var fault: DecompressionFault?

  init() {
    stream.initialize(to: z_stream())
    // 15 is the largest window, and 16 means gzip.
    isReady =
      czlib_load() == nil
      && inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit {
    if isReady { inflateEnd(stream) }
    stream.deallocate()
  }

  func reset() {
    if isReady { inflateReset(stream) }
    fault = nil
    isBetweenMembers = true
  }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionFault) -> (taken: Int, given: Int) {
    if let failure = czlib_load() { throw DecompressionFault(missing: "zlib", failure, package: "zlib1g") }
    guard isReady else { throw DecompressionFault("there is not enough memory") }
    if let fault { throw fault }
    if isBetweenMembers, input.isEmpty { return (0, 0) }
    let (offered, room) = (UInt32(clamping: input.count), UInt32(clamping: output.count))
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = offered
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = room
    let code = inflate(stream, Z_NO_FLUSH)
    let result = (Int(offered - stream.pointee.avail_in), Int(room - stream.pointee.avail_out))
    switch code {
    // zlib needs more input or more room.
    case Z_OK, Z_BUF_ERROR: isBetweenMembers = false
    case Z_STREAM_END:
      inflateReset(stream)
      isBetweenMembers = true
    default:
      let fault = DecompressionFault(stream.pointee.msg.map { String(cString: $0) } ?? "error \(code) of zlib")
      (self.fault, isBetweenMembers) = (fault, false)
      if result.1 == 0 { throw fault }
    }
    return result
  }
}
