#if canImport(Glibc)
  @preconcurrency package import Glibc
#elseif canImport(Musl)
  @preconcurrency package import Musl
#elseif canImport(Darwin)
  @preconcurrency package import Darwin
#endif

/// Which file it is, whatever path or descriptor leads to it.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let type: mode_t

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    type = status.st_mode & S_IFMT
  }

  /// Of a regular file that is not the system's.
  package init(regular number: UInt64) {
    device = .max
    inode = number
    type = S_IFREG
  }

  /// Of a path, or of what its symbolic link leads to; nil if nothing is there.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  package var isDirectory: Bool { type == S_IFDIR }
  package var isRegular: Bool { type == S_IFREG }
  /// Whether what is written to it comes out again where it is read: not so for a terminal or /dev/null.
  package var keepsBytes: Bool { type == S_IFREG || type == S_IFIFO || type == S_IFBLK }
}

extension SluiceError {
  /// A file that is to be written is one that is being read.
  /// - Parameter input: The path by which it is read.
  package static func isRead(_ path: String, as input: String) -> SluiceError {
    SluiceError(
      .usage, "write", path,
      because: path == input ? "it is being read" : "it is the same file as \(input), which is read",
      remedy: "write to another file")
  }
}
