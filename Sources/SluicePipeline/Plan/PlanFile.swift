package import SluiceReadings
import SluiceSystem

/// The file of a plan, in any form.
package enum PlanFile {
  /// Reads a file.
  /// - Parameters:
  ///   - path: A regular file, or `-` for standard input, which is read to its end.
  ///   - title: What it is in errors: `the plan walk.json`.
  ///   - longest: The most bytes that it may have, some MiB.
  package static func bytes(_ path: String, _ title: String, atMost longest: Int) throws(SluiceError) -> [UInt8] {
    func malformed(_ cause: String) -> SluiceError { SluiceError(.malformed, "read", title, because: cause) }
    let bytes: [UInt8]
    do throws(SystemErrno) {
      bytes = try read(path, longest)
    } catch {
      if error.code == EISDIR { throw malformed("it is not a regular file; - is standard input") }
      throw SluiceError("read", title, errno: error.code)
    }
    guard bytes.count <= longest else { throw malformed("it is larger than \(longest >> 20) MiB") }
    return bytes
  }

  /// - Returns: The bytes of the file; at most one more than the limit.
  /// - Throws: EISDIR for anything but a regular file.
  private static func read(_ path: String, _ longest: Int) throws(SystemErrno) -> [UInt8] {
    guard path != "-" else { return try read(STDIN_FILENO, longest) }
    // O_NONBLOCK, so that opening a FIFO does not block.
    let descriptor = try openFile(path, O_RDONLY | O_NONBLOCK)
    defer { closeFile(descriptor) }
    guard FileIdentity(descriptor: descriptor)?.isRegular ?? false else { throw SystemErrno(EISDIR) }
    return try read(descriptor, longest)
  }

  private static func read(_ descriptor: Int32, _ longest: Int) throws(SystemErrno) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while all.count <= longest {
      // Another program may have made standard input non-blocking.
      let result = chunk.withUnsafeMutableBytes { bytes in
        Result { () throws(SystemErrno) in
          try waitingValueOrErrno(descriptor, POLLIN) { SluiceSystem.read(descriptor, bytes.baseAddress, bytes.count) }
        }
      }
      let count = try result.get()
      if count == 0 { break }
      all += chunk[..<min(count, longest + 1 - all.count)]
    }
    return all
  }
}
