// Thin wrappers of system calls. They repeat a call after a signal, and return or throw the result of the system.

/// The number of an error of the system.
package struct SystemErrno: Error, Equatable {
  package let code: Int32
  /// The fault in words, if there is more to say than the number: EBADMSG for data that cannot be decompressed.
  package private(set) var cause: String?

  package init(_ code: Int32) { self.code = code }

  package init(_ code: Int32, because cause: String) {
    self.code = code
    self.cause = cause
  }
}

/// Repeats a call that a signal interrupts.
package func valueOrErrno<I: FixedWidthInteger>(_ call: () -> I) throws(SystemErrno) -> I {
  while true {
    let value = call()
    if value != -1 { return value }
    if errno != EINTR { throw SystemErrno(errno) }
  }
}

/// Repeats a call that a signal interrupts. If the descriptor is non-blocking, it waits until the descriptor is ready,
/// and repeats the call. Another program with the same terminal may have set O_NONBLOCK.
/// - Parameter events: The event that the call needs, POLLIN or POLLOUT.
package func waitingValueOrErrno<I: FixedWidthInteger>(
  _ descriptor: Int32, _ events: Int32, _ call: () -> I
) throws(SystemErrno) -> I {
  while true {
    do throws(SystemErrno) {
      return try valueOrErrno(call)
    } catch {
      guard error.code == EAGAIN || error.code == EWOULDBLOCK else { throw error }
      var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      _ = try valueOrErrno { poll(&waiting, 1, -1) }
    }
  }
}

package func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(SystemErrno) -> Int32 {
  try valueOrErrno { open(path, flags | O_CLOEXEC, mode) }
}

package func closeFile(_ descriptor: Int32) { _ = close(descriptor) }

/// Closes a file that was written. Some file systems report a failed write only here. Linux closes the descriptor in
/// any case, so EINTR is no reason to try again.
package func closeFileOrErrno(_ descriptor: Int32) throws(SystemErrno) {
  if close(descriptor) != 0, errno != EINTR { throw SystemErrno(errno) }
}

/// Reads once into an array.
/// - Returns: The number of bytes; 0 at the end.
package func readBytes(_ descriptor: Int32, into bytes: inout [UInt8]) throws(SystemErrno) -> Int {
  let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
  if count >= 0 { return count }
  guard errno == EINTR else { throw SystemErrno(errno) }
  return try readBytes(descriptor, into: &bytes)
}

/// Writes as many bytes as one call takes.
package func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int {
  try waitingValueOrErrno(descriptor, POLLOUT) { write(descriptor, bytes.baseAddress, bytes.count) }
}

package func renameFile(_ path: String, to other: String) throws(SystemErrno) {
  _ = try valueOrErrno { rename(path, other) }
}

/// Writes all bytes, in as many calls as needed.
/// - Returns: nil, or the number of bytes written before the error.
package func writeBytes(
  _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer
) -> (written: Int, error: SystemErrno)? {
  var written = 0
  while written < buffer.count {
    do throws(SystemErrno) {
      written += try writeSome(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
    } catch {
      return (written, error)
    }
  }
  return nil
}

/// The number of processors of the machine.
package func processorCount() -> Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
