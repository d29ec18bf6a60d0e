import Dispatch

/// What a paced replay waits by. Tests move it.
package protocol PaceClock: Sendable {
  /// Nanoseconds since any origin. It never goes back.
  var now: Int64 { get }
  /// Waits until a time, or until it is woken; it may return too early.
  /// - Parameter time: Nil to wait until it is woken.
  func wait(until time: Int64?)
  /// Wakes one that waits, or is about to. From any thread.
  func wake()
}

/// The clock of the machine, which stands still during a suspend.
package final class SystemPaceClock: PaceClock {
  private let woken = DispatchSemaphore(value: 0)

  package init() {}

  package var now: Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }

  package func wait(until time: Int64?) {
    let end = time.map { DispatchTime(uptimeNanoseconds: UInt64(clamping: $0)) } ?? .distantFuture
    _ = woken.wait(timeout: end)
  }

  package func wake() { woken.signal() }
}
