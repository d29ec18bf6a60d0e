package import Dispatch
package import Sluice
package import SluiceRecording
import SluiceSystem

/// The clocks of a machine, in nanoseconds. Tests replace them, because they cannot set the clock or suspend the
/// machine.
package protocol MachineClocks: Sendable {
  /// CLOCK_MONOTONIC: the clock of readings. It stops while the machine is suspended.
  var monotonic: Int64 { get }
  /// CLOCK_BOOTTIME: the same clock, but it runs during a suspend.
  var boottime: Int64 { get }
  /// CLOCK_REALTIME, the wall clock.
  var realtime: Int64 { get }
  /// Whether the wall clock is synchronised; nil if the system does not say.
  var isSynchronised: Bool? { get }
  /// How far the wall clock may be wrong; nil if the system does not say.
  var quality: TraceMetadata.ClockQuality? { get }
  /// Calls the closure on the queue each time the wall clock is set, until it is cancelled.
  /// - Returns: Nil if the system does not support it.
  func whenSet(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> (any Cancellable)?
}

/// The clocks of this machine.
package struct SystemClocks: MachineClocks {
  package init() {}

  package var monotonic: Int64 { now(CLOCK_MONOTONIC) }
  package var boottime: Int64 { now(CLOCK_BOOTTIME) }
  package var realtime: Int64 { now(CLOCK_REALTIME) }

  private func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  package var isSynchronised: Bool? {
    switch cwallclock_is_synchronised() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  package var quality: TraceMetadata.ClockQuality? {
    var (greatest, estimated) = (0, 0)
    let state = cwallclock_errors(&greatest, &estimated)
    guard state >= 0 else { return nil }
    return TraceMetadata.ClockQuality(
      isSynchronised: state == 1, maxError: Int64(greatest) &* 1_000, estimatedError: Int64(estimated) &* 1_000)
  }

  package func whenSet(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> (any Cancellable)? {
    let timer = cwallclock_timer()
    guard timer >= 0 else { return nil }
    // A failure means that the clock was set in the meantime. The timer is set even then. The caller does not miss the
    // change, because it compares the clocks when it starts.
    _ = cwallclock_set(timer)
    let source = DispatchSource.makeReadSource(fileDescriptor: timer, queue: queue)
    source.setEventHandler {
      var count: UInt64 = 0
      let isSet = read(timer, &count, MemoryLayout<UInt64>.size) < 0 && errno == ECANCELED
      _ = cwallclock_set(timer)
      if isSet { body() }
    }
    source.setCancelHandler { close(timer) }
    source.resume()
    return AnyCancellable { source.cancel() }
  }
}
