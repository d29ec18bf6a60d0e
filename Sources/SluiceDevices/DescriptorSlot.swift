import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// A descriptor whose number stays the same while the device behind it goes and comes back, so that whoever waits for it
/// need not know.
final class DescriptorSlot {
  private(set) var descriptor: Int32
  private var silent: WakePipe?  // into which nobody writes, so that it is never readable

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  /// Closes what is there; nothing can be read until something else is put there.
  func empty() throws(SluiceError) {
    let silent = try WakePipe()
    let reading = dup(silent.descriptor)
    guard reading >= 0 else { throw SluiceError("duplicate", "a descriptor", errno: errno) }
    try put(reading)
    self.silent = silent
  }

  /// - Parameter other: Is closed.
  func put(_ other: Int32) throws(SluiceError) {
    defer { closeFile(other) }
    guard dup2(other, descriptor) >= 0 else {
      throw SluiceError("put", "a descriptor in the place of another", errno: errno)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    silent = nil
  }

  func close() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
  }
}
