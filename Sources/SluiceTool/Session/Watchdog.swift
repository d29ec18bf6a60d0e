import SluiceSystem

/// Decides when systemd's watchdog is fed. It is a value, without a timer or a socket.
///
/// At each tick the writers are asked, unless they still owe an answer. Each answer feeds the watchdog. So if a writer
/// hangs, the feed ends within one period.
struct Watchdog {
  /// The nanoseconds between two ticks: half the period that the service manager gives.
  let interval: Int64
  private var isAsking = false

  /// - Parameters:
  ///   - period: The value of `WATCHDOG_USEC`, in microseconds.
  ///   - process: The value of `WATCHDOG_PID`, which may name another process; nil if any process may feed the
  ///     watchdog.
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

  /// Notes that the writers have answered.
  mutating func answered() { isAsking = false }
}
