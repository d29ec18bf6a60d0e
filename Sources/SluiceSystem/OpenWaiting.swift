/// The interval at which a wait asks whether to stop, in milliseconds.
private let look: Int32 = 50

/// Opens a file for reading or for writing. It waits for the other end of a FIFO until it is interrupted; open(2)
/// itself would wait without limit.
///
/// A FIFO for reading is open when something was written, or when its writer has come and gone. A FIFO for writing is
/// open when it has a reader. Other files are opened as usual. The type of the file is checked after opening.
/// - Parameter isInterrupted: Asked every 50 ms.
/// - Returns: A descriptor without O_NONBLOCK; nil if it was interrupted.
package func openWaiting(
  _ path: String, _ flags: Int32, mode: mode_t = 0o644, isInterrupted: () -> Bool
) throws(SystemErrno) -> Int32? {
  guard let descriptor = try openWithoutWaiting(path, flags, mode: mode, isInterrupted) else { return nil }
  var status = stat()
  let isFIFO = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  do throws(SystemErrno) {
    if isFIFO, flags & O_ACCMODE == O_RDONLY {
      guard try waitUntilReadable(descriptor, isInterrupted) else {
        closeFile(descriptor)
        return nil
      }
    }
    let state = try valueOrErrno { fcntl(descriptor, F_GETFL) }
    _ = try valueOrErrno { fcntl(descriptor, F_SETFL, state & ~O_NONBLOCK) }
  } catch {
    closeFile(descriptor)
    throw error
  }
  return descriptor
}

private func openWithoutWaiting(
  _ path: String, _ flags: Int32, mode: mode_t, _ isInterrupted: () -> Bool
) throws(SystemErrno) -> Int32? {
  while !isInterrupted() {
    do throws(SystemErrno) {
      return try openFile(path, flags | O_NONBLOCK, mode: mode)
    } catch {
      // ENXIO means a FIFO without a reader, or a socket or device that cannot be opened at all.
      guard error.code == ENXIO, flags & O_ACCMODE == O_WRONLY, isFIFO(path) else { throw error }
    }
    poll(nil, 0, look)
  }
  return nil
}

private func isFIFO(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}

/// Waits until a read would not block.
/// - Parameter deadline: When the wait ends, in ``monotonicMilliseconds()``; nil for never.
/// - Returns: False if it was interrupted, or if the deadline has come.
package func waitUntilReadable(
  _ descriptor: Int32, until deadline: UInt64? = nil, _ isInterrupted: () -> Bool
) throws(SystemErrno) -> Bool {
  while !isInterrupted() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let now = deadline == nil ? 0 : monotonicMilliseconds()
    let left = deadline.map { $0 > now ? $0 - now : 0 } ?? UInt64(look)
    // A signal may be the interruption.
    let count = poll(&waiting, 1, Int32(min(left, UInt64(look))))
    if count == 0, left == 0 { return false }
    if count > 0 { return true }
    if count < 0, errno != EINTR { throw SystemErrno(errno) }
  }
  return false
}
