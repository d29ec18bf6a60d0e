#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// Where bytes come from: a file, standard input, or memory.
final class ByteSource {
  private enum Origin {
    case descriptor(Int32)
    case memory([UInt8], from: Int)
  }
  private var origin: Origin

  private init(_ origin: Origin) { self.origin = origin }

  /// - Parameter path: `-` is standard input.
  static func file(_ path: String) throws(SystemErrno) -> ByteSource {
    ByteSource(.descriptor(path == "-" ? STDIN_FILENO : try openFile(path, O_RDONLY)))
  }

  static func memory(_ bytes: [UInt8]) -> ByteSource { ByteSource(.memory(bytes, from: 0)) }

  /// Fills as much as there is at once.
  /// - Returns: How many bytes; 0 at the end.
  func fill(_ target: UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int {
    switch origin {
    case .descriptor(let descriptor):
      return try valueOrErrno { read(descriptor, target.baseAddress, target.count) }
    case .memory(let bytes, let from):
      let count = min(target.count, bytes.count - from)
      bytes.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[from..<(from + count)])) }
      origin = .memory(bytes, from: from + count)
      return count
    }
  }

  /// Whether ``fill(_:)`` may wait for somebody to write.
  var mayWait: Bool {
    guard case .descriptor(let descriptor) = origin else { return false }
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }

  deinit {
    if case .descriptor(let descriptor) = origin, descriptor != STDIN_FILENO { closeFile(descriptor) }
  }
}
