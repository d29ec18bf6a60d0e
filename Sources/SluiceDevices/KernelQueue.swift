import SluiceReadings
import SluiceSystem

/// What waits for a reader in the kernel, as far as it is known before a device is opened.
///
/// ```swift
/// let queue = KernelQueue.readings(capacity: 1_024, waiting: 20)
/// ```
public enum KernelQueue: Hashable, Sendable {
  /// Nothing waits: what comes while nobody reads is missed.
  case nothing
  /// Readings wait.
  /// - Parameters:
  ///   - capacity: The number of readings that it keeps, of all streams together.
  ///   - waiting: The number of them that may wait even while it is read without a delay.
  case readings(capacity: Int, waiting: Int)
  /// Bytes wait.
  /// - Parameters:
  ///   - capacity: The number of bytes that it keeps.
  ///   - perSecond: The most bytes that can come in a second.
  case bytes(capacity: Int, perSecond: Int)
  /// The sender waits, so that nothing is lost.
  case sender
}

extension KernelQueue {
  /// The events of an IIO device (`det_events` in drivers/iio/industrialio-event.c).
  package static let iioEvents = KernelQueue.readings(capacity: 16, waiting: 0)
  /// The kernel keeps 64 events of an input device at least, and each change is two or more (`evdev_compute_buffer_size` in
  /// drivers/input/evdev.c).
  package static let input = KernelQueue.readings(capacity: 32, waiting: 0)
  /// The kernel keeps the newest pulse (drivers/pps/pps.c).
  package static let pps = KernelQueue.readings(capacity: 1, waiting: 0)

  /// A socket with a buffer of this size, as far as everybody may have it. A small packet takes less than 1 KiB of it.
  static func socket(buffer: Int32) -> KernelQueue {
    let most = SysfsFolder(path: "/proc/sys/net/core").readIfPresent("rmem_max").flatMap { Int($0) } ?? 212_992
    // The kernel doubles it (`__sock_set_rcvbuf` in net/core/sock.c).
    return .readings(capacity: max(1, 2 * min(Int(buffer), max(0, most)) / 1_024), waiting: 0)
  }
}
