package import SluiceReadings

#if canImport(Glibc)
  @preconcurrency package import Glibc
#elseif canImport(Musl)
  @preconcurrency package import Musl
#elseif canImport(Darwin)
  @preconcurrency package import Darwin
#endif

/// How often whoever waits for a file looks whether it is to go on, in milliseconds.
private let look: Int32 = 50

/// Opens a file for reading or for writing, and waits for the other end of a FIFO only as long as it is not interrupted:
/// open(2) itself would wait for ever.
///
/// A FIFO to be read is open once something was written, or its writer has come and gone; one to be written once it has a
/// reader. Everything else is opened as it always is. What it is shows after it was opened.
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
      // Of a FIFO that nobody reads, and of a socket or a device that cannot be opened at all.
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

/// Waits until a read does not have to.
/// - Returns: False if it was interrupted.
func waitUntilReadable(_ descriptor: Int32, _ isInterrupted: () -> Bool) throws(SystemErrno) -> Bool {
  while !isInterrupted() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A signal may be what interrupts.
    let count = poll(&waiting, 1, look)
    if count > 0 { return true }
    if count < 0, errno != EINTR { throw SystemErrno(errno) }
  }
  return false
}
