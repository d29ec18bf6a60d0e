import SluiceReadings
import SluiceSystem

/// The compressed bytes of a ``ByteSource``.
final class CompressedBytes {
  /// Reads the compressed bytes that are available at once; none at the end.
  typealias Read = (UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int

  private let decompressor: any Decompressor
  let ending: String
  private let name: String
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// Compressed bytes that have been read, but not decompressed yet.
  private var rest = 0..<0
  /// The number of compressed bytes that have been decompressed.
  private var taken: UInt64 = 0
  private var isAtEnd = false
  private var hasNULs = false
  private var endsWithLine = true
  private var fault: SystemErrno?

  /// Whether the recording was cut off at the end of the compressed bytes.
  var isCutOff = false
  /// Called once with a sentence about that end.
  var warn: (String) -> Void = { _ in }
  private var hasWarned = false

  /// - Parameter beginning: The bytes that have been read already.
  init(_ compression: any Compression.Type, _ beginning: [UInt8]) {
    decompressor = compression.decompressor()
    (name, ending) = (compression.name, compression.ending)
    let count = min(beginning.count, buffer.count)
    buffer.copyBytes(from: beginning[..<count])
    rest = 0..<count
  }

  deinit { buffer.deallocate() }

  /// Starts again at the beginning of the source.
  func reset() {
    decompressor.reset()
    (rest, taken, isAtEnd, hasNULs, endsWithLine, fault) = (0..<0, 0, false, false, true, nil)
  }

  /// - Parameter isOnce: Whether to return after the first read that gives bytes.
  /// - Returns: The number of bytes; 0 at the end.
  func fill(
    _ target: UnsafeMutableRawBufferPointer, isOnce: Bool, _ read: Read
  ) throws(SystemErrno) -> Int {
    var given = 0
    do throws(SystemErrno) {
      while given < target.count, fault == nil {
        let room = UnsafeMutableRawBufferPointer(rebasing: target[given...])
        let count = try step(room)
        given += count
        if count > 0 || !rest.isEmpty { continue }
        if isAtEnd || isOnce && given > 0 { break }
        let more = try read(buffer)
        rest = 0..<more
        isAtEnd = more == 0
      }
    } catch {
      // The bytes before the fault are returned first.
      if error.cause != nil { fault = error } else if given == 0 { throw error }
    }
    if given > 0 { endsWithLine = target[given - 1] == UInt8(ascii: "\n") }
    if given == 0, !target.isEmpty { try end() }
    return given
  }

  /// Decompresses some of the bytes in the buffer.
  private func step(_ room: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int {
    // A power cut may leave NUL bytes, and tapes use them as padding. No member begins with a NUL byte.
    if decompressor.isBetweenMembers, taken > 0 {
      while let first = rest.first, buffer[first] == 0 {
        hasNULs = true
        take(1)
      }
      if hasNULs, !rest.isEmpty { throw damage("other bytes follow its NUL bytes") }
    }
    do throws(DecompressionFault) {
      let result = try decompressor.decompress(UnsafeRawBufferPointer(rebasing: buffer[rest]), into: room)
      take(result.taken)
      // Without this check the loop would not end.
      if result.taken == 0, result.given == 0, !rest.isEmpty {
        throw DecompressionFault("it cannot be decompressed further")
      }
      return result.given
    } catch {
      throw error.isDamage ? damage(error.text) : SystemErrno(EBADMSG, because: "its \(name) data \(error.text)")
    }
  }

  private func take(_ count: Int) {
    rest = (rest.lowerBound + count)..<rest.upperBound
    taken += UInt64(count)
  }

  /// Reports the fault of an incomplete end.
  private func end() throws(SystemErrno) {
    if let fault { throw fault }
    if !decompressor.isBetweenMembers {
      guard isCutOff else {
        throw SystemErrno(
          EBADMSG, because: "it ends at byte \(taken) in the middle of its \(name) data, and was cut off there")
      }
      // The reader of the rows reports a row without an end.
      if endsWithLine { say("its \(name) data has no end, because the recording was cut off there") }
    } else if hasNULs {
      say("the NUL bytes at its end are left out" + (isCutOff ? ", because the recording was cut off there" : ""))
    }
  }

  private func say(_ sentence: String) {
    if !hasWarned { warn(sentence) }
    hasWarned = true
  }

  private func damage(_ text: String) -> SystemErrno {
    SystemErrno(EBADMSG, because: "its \(name) data is damaged after byte \(taken): \(text)")
  }
}
