import SluiceReadings
import SluiceSystem
import Synchronization

/// Wakes a thread that waits in `poll(2)`. It can also ask the thread to finish.
final class WakePipe: Sendable {
  /// Readable after a signal.
  let descriptor: Int32
  private let writing: Int32
  private let finishing = Atomic(false)
  private let isTaken = Atomic(false)

  init() throws(SluiceError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw SluiceError("open", "a pipe", errno: errno, remedy: "let this process open more files (ulimit -n)")
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    closeFile(descriptor)
    closeFile(writing)
  }

  /// - Returns: Whether the caller is the first.
  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  /// Wakes the thread. A full pipe also wakes it.
  func signal() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Whether a signal waits. While there is demand, only a cancel and a finish give one.
  var isSignalled: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  /// Whether the thread must finish.
  var isFinishing: Bool { finishing.load(ordering: .relaxed) }

  func finish() {
    finishing.store(true, ordering: .relaxed)
    signal()
  }

  func clear() {
    var bytes: UInt64 = 0
    while read(descriptor, &bytes, 8) == 8 {}
  }
}
