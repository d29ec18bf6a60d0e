#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// A clock that the schedule moves.
final class VirtualClock: Scheduler {
  struct Instant: Strideable, CustomStringConvertible {
    var ticks: Int
    func distance(to other: Instant) -> Interval { Interval(ticks: other.ticks - ticks) }
    func advanced(by n: Interval) -> Instant { Instant(ticks: ticks + n.ticks) }
    var description: String { "at \(ticks)" }
  }

  struct Interval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, CustomStringConvertible {
    var ticks: Int
    init(ticks: Int) { self.ticks = ticks }
    init(integerLiteral value: Int) { ticks = value }
    init?<T: BinaryInteger>(exactly source: T) {
      guard let ticks = Int(exactly: source) else { return nil }
      self.ticks = ticks
    }
    var magnitude: Int { abs(ticks) }
    var description: String { "\(ticks) ticks" }
    static func < (a: Interval, b: Interval) -> Bool { a.ticks < b.ticks }
    static func + (a: Interval, b: Interval) -> Interval { Interval(ticks: a.ticks + b.ticks) }
    static func - (a: Interval, b: Interval) -> Interval { Interval(ticks: a.ticks - b.ticks) }
    static func * (a: Interval, b: Interval) -> Interval { Interval(ticks: a.ticks * b.ticks) }
    static func += (a: inout Interval, b: Interval) { a.ticks += b.ticks }
    static func -= (a: inout Interval, b: Interval) { a.ticks -= b.ticks }
    static func *= (a: inout Interval, b: Interval) { a.ticks *= b.ticks }
    static func seconds(_ s: Int) -> Interval { Interval(ticks: s * 1_000_000_000) }
    static func seconds(_ s: Double) -> Interval { Interval(ticks: Int(s * 1e9)) }
    static func milliseconds(_ ms: Int) -> Interval { Interval(ticks: ms * 1_000_000) }
    static func microseconds(_ us: Int) -> Interval { Interval(ticks: us * 1_000) }
    static func nanoseconds(_ ns: Int) -> Interval { Interval(ticks: ns) }
  }

  private struct Job {
    let due: Int
    let number: Int
    let action: () -> Void
  }

  private final class Repetition: Cancellable {
    var isCancelled = false
    func cancel() { isCancelled = true }
  }

  private(set) var now = Instant(ticks: 0)
  private var jobs: [Job] = []
  private var count = 0
  let minimumTolerance = Interval(ticks: 0)

  /// Runs what is due on the way, each at its time, those of one time in the order in which they were scheduled.
  func advance(by ticks: Int) {
    let end = now.ticks + ticks
    var budget = 10_000
    while budget > 0,
      let next = jobs.indices.min(by: { (jobs[$0].due, jobs[$0].number) < (jobs[$1].due, jobs[$1].number) }),
      jobs[next].due <= end
    {
      budget -= 1
      let job = jobs.remove(at: next)
      now.ticks = Swift.max(now.ticks, job.due)
      job.action()
    }
    now.ticks = Swift.max(now.ticks, end)
  }

  /// Forgets what is still to do.
  func clear() {
    let jobs = jobs
    self.jobs = []
    withExtendedLifetime(jobs) {}
  }

  private func add(_ due: Int, _ action: @escaping () -> Void) {
    jobs.append(Job(due: due, number: count, action: action))
    count += 1
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { add(now.ticks, action) }

  func schedule(after date: Instant, tolerance: Interval, options: Never?, _ action: @escaping () -> Void) {
    add(date.ticks, action)
  }

  func schedule(
    after date: Instant, interval: Interval, tolerance: Interval, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition()
    repeatedly(repetition, date, interval, action)
    return repetition
  }

  private func repeatedly(
    _ repetition: Repetition, _ date: Instant, _ interval: Interval, _ action: @escaping () -> Void
  ) {
    add(date.ticks) { [self] in
      if repetition.isCancelled { return }
      action()
      repeatedly(repetition, date.advanced(by: interval), interval, action)
    }
  }
}
