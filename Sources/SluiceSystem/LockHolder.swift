/// The process that holds the lock of a file: a recording locks its files as long as it writes them.
package struct LockHolder: Equatable, Sendable {
  /// The id of the process; nil if the system does not tell it, for example because the process is in another
  /// container or on another machine.
  package var process: Int32?

  /// Nil if nobody has locked the file.
  ///
  /// Do not call it while this process reads the file through SQLite: it closes a descriptor of the file, and that
  /// releases SQLite's locks.
  package init?(of path: String) { self.init(of: path) { procText("/proc/locks") ?? "" } }

  /// - Parameter locks: Reads all locks of files that the kernel shows to this process; empty without /proc.
  init?(of path: String, locks: () -> String) {
    var status = stat()
    // A named pipe must not be opened: its writer would go on, and end with SIGPIPE when this closes it.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let descriptor = try? openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    else { return nil }
    defer { closeFile(descriptor) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    var known = locks()
    if let process = Self.process(known, device: device, inode: inode) {
      self.process = process
      return
    }
    // fcntl(F_GETLK) does not show locks of flock(2), so the lock is tried. A recording that begins at this moment
    // tries its lock again (`SystemFiles.lock`).
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    // The kernel gives its list page by page. If a lock is released between two pages, the later locks move up, and one may be
    // missing.
    for _ in 0..<3 where process == nil {
      known = locks()
      process = Self.process(known, device: device, inode: inode)
    }
    // On some file systems, such as btrfs, stat(2) and the list have different devices.
    process = process ?? Self.process(known, device: nil, inode: inode)
  }

  /// The process with an exclusive lock of flock(2) on a file.
  /// - Parameters:
  ///   - locks: Lines such as `1: FLOCK  ADVISORY  WRITE 12292 fe:00:16221002 0 EOF` (proc_locks(5)). If the process
  ///     waits for the lock, `->` follows the first number.
  ///   - device: As stat(2) has it; nil for any device, if only one file with this inode is locked.
  static func process(_ locks: String, device: UInt64?, inode: UInt64) -> Int32? {
    var found: [Int32] = []
    for line in locks.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE", let process = Int32(words[4]) else { continue }
      let file = words[5].split(separator: ":")
      guard file.count == 3, UInt64(file[2]) == inode, let major = UInt64(file[0], radix: 16),
        let minor = UInt64(file[1], radix: 16)
      else { continue }
      // As makedev(3) puts them together.
      let number = (major & 0xfff) << 8 | (major >> 12) << 44 | minor & 0xff | (minor >> 8) << 20
      if device == nil || device == number { found.append(process) }
    }
    // If this process cannot see the other one, the line has the number 0. A process that has ended may have left its
    // lock to a child.
    guard found.count == 1, let process = found.first, process > 0, kill(process, 0) == 0 || errno == EPERM else {
      return nil
    }
    return process
  }
}
