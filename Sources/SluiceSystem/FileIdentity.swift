/// The identity of a file, for any path or descriptor.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  private let type: mode_t

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    type = status.st_mode & S_IFMT
  }

  /// The identity of a regular file that is not in the file system.
  package init(regular number: UInt64) {
    device = .max
    inode = number
    type = S_IFREG
  }

  /// The identity of a regular file, from numbers that were stored.
  package init(device: UInt64, inode: UInt64) { (self.device, self.inode, type) = (device, inode, S_IFREG) }

  /// The identity of the file at a path, or of the target of a symbolic link; nil if there is none.
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
  package var isFIFO: Bool { type == S_IFIFO }
  /// Whether written bytes can be read again, unlike those of a terminal or /dev/null.
  package var keepsBytes: Bool { type == S_IFREG || type == S_IFIFO || type == S_IFBLK }
}
