import SluiceSystem

/// Whether systemd's watchdog is fed. It is a value: no timer, no socket.
///
/// At each tick it asks the writers, unless they still owe an answer; each answer feeds the watchdog. So a writer that
/// hangs ends the feed within one period.
struct Watchdog {
  /// Nanoseconds between two ticks: half the period that the manager gives.
  let interval: Int64
  private var isAsking = false

  /// - Parameters:
  ///   - period: The value of `WATCHDOG_USEC`: microseconds.
  ///   - process: The value of `WATCHDOG_PID`, which may name another process; nil for any.
  init?(period: String?, process: String?, own: Int32 = getpid()) {
    guard let period = period.flatMap({ Int64($0) }), period > 0, process.map({ $0 == "\(own)" }) ?? true else {
      return nil
    }
    let (nanoseconds, isOverflow) = period.multipliedReportingOverflow(by: 1_000)
    interval = max(1, (isOverflow ? .max : nanoseconds) / 2)
  }

  /// - Returns: Whether to ask the writers.
  mutating func tick() -> Bool {
    defer { isAsking = true }
    return !isAsking
  }

  /// The writers have answered, so the manager is told.
  mutating func answered() { isAsking = false }
}
