public import SluiceReadings
import SluiceSystem

extension ClaimedFile: OutputClaim {
  public var beginsFirst: Bool { !isRegular }
  public var safety: Safety { isRegular ? .sync : .never }

  /// Waits until a pipe can take the header, because the write of a header cannot be interrupted.
  public func waitUntilReady(_ isInterrupted: () -> Bool) throws(SluiceError) {
    guard !isRegular else { return }
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&room, 1, 50)
      // The write reports any other error. A signal may be the interruption.
      if count > 0 || (count < 0 && errno != EINTR) { return }
      guard isInterrupted() else { continue }
      throw SluiceError(.interrupted, "write", name, because: "it is full, and nobody reads it", errno: EINTR)
    }
  }

  public var folderOfNewName: String? { isCreated ? folder(of: path) : nil }
  public func syncName() throws(SluiceError) { try syncFolder() }

  /// Whether a failed write is tried again: yes for a file, because somebody may free space, raise a quota, mount the disk
  /// again, or close a database; and no for a pipe.
  public func comesBack(from error: SluiceError) -> Bool {
    isRegular && error.errno.map { $0 == EBUSY || SystemErrno.ofDisk.contains($0) } ?? false
  }

  public func remove(withRows rows: Bool) -> String? {
    guard rows, let series else { return remove() ? path : nil }
    guard series.existing == .refuse, let parts = try? series.parts(files) else { return nil }
    for path in parts.map(series.path(of:)) {
      try? files.remove(path)
      for beside in MetadataFile(beside: path, disk).paths { try? files.remove(beside) }
    }
    return remove() ? series.path : nil
  }
}
