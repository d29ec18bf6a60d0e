public import SluiceReadings
import SluiceSystem

extension RecordingPlan {
  /// Reads a plan from a file.
  ///
  /// ```swift
  /// let plan = try RecordingPlan(path: "walk.json")
  /// ```
  /// - Parameter path: A regular file of at most 16 MiB, or `-` for standard input, which is read to its end.
  /// - Throws: A `SluiceError` if it cannot be read, and what ``init(json:name:)`` throws.
  public init(path: String) throws(SluiceError) {
    let name = path == "-" ? "on standard input" : path
    let bytes: [UInt8]
    do throws(SystemErrno) {
      bytes = try Self.bytes(path)
    } catch {
      if error.code == EISDIR { throw Self.malformed(name, "it is not a regular file; - is standard input") }
      throw SluiceError("read", "the plan \(name)", errno: error.code)
    }
    guard bytes.count <= Self.longest else { throw Self.malformed(name, "it is larger than \(Self.longest >> 20) MiB") }
    try self.init(json: bytes, name: name)
  }

  package static let longest = 16 << 20

  private static func malformed(_ name: String, _ cause: String) -> SluiceError {
    SluiceError(.malformed, "read", "the plan \(name)", because: cause)
  }

  /// - Returns: The bytes of the file; at most one more than the limit.
  /// - Throws: EISDIR for anything but a regular file.
  private static func bytes(_ path: String) throws(SystemErrno) -> [UInt8] {
    guard path != "-" else { return try bytes(STDIN_FILENO) }
    // O_NONBLOCK, so that opening a FIFO does not block.
    let descriptor = try openFile(path, O_RDONLY | O_NONBLOCK)
    defer { closeFile(descriptor) }
    guard FileIdentity(descriptor: descriptor)?.isRegular ?? false else { throw SystemErrno(EISDIR) }
    return try bytes(descriptor)
  }

  private static func bytes(_ descriptor: Int32) throws(SystemErrno) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while all.count <= longest {
      // Another program may have made standard input non-blocking.
      let result = chunk.withUnsafeMutableBytes { bytes in
        Result { () throws(SystemErrno) in
          try waitingValueOrErrno(descriptor, POLLIN) { read(descriptor, bytes.baseAddress, bytes.count) }
        }
      }
      let count = try result.get()
      if count == 0 { break }
      all += chunk[..<min(count, longest + 1 - all.count)]
    }
    return all
  }
}
