package import SluiceReadings
import SluiceSystem

extension ClaimedFile: OutputClaim {
  package var beginsFirst: Bool { !isRegular }
  package var safety: Safety { isRegular ? .sync : .never }

  /// Waits until a pipe can take the header, because the write of a header cannot be interrupted.
  package func waitUntilReady(_ isInterrupted: () -> Bool) throws(SluiceError) {
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

  package func syncName(_ folders: inout Set<ExactName>) throws(SluiceError) {
    if isCreated, folders.insert(ExactName(folder(of: path))).inserted { try syncFolder() }
  }

  /// Somebody may free space, raise a quota, mount the disk again, or close a database. A failed write to a pipe is
  /// final.
  package func comesBack(from error: SluiceError) -> Bool {
    isRegular && [ENOSPC, EDQUOT, EROFS, EIO, EBUSY].contains(error.errno)
  }

  package func remove(withRows rows: Bool) -> String? {
    guard rows, let series else { return remove() ? path : nil }
    guard series.existing == .refuse, let parts = try? series.parts(files) else { return nil }
    for path in parts.map(series.path(of:)) {
      try? files.remove(path)
      for beside in MetadataFile(beside: path, disk).paths { try? files.remove(beside) }
    }
    return remove() ? series.path : nil
  }
}
