#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// A scheduler whose clock moves when it is told to, as cheap as it can be: one thread, a queue for what is due at once.
final class VirtualClock: Scheduler {
  struct Instant: Strideable {
    var ticks: Int
    func distance(to other: Instant) -> Interval { Interval(ticks: other.ticks - ticks) }
    func advanced(by n: Interval) -> Instant { Instant(ticks: ticks + n.ticks) }
  }

  struct Interval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    var ticks: Int
    init(ticks: Int) { self.ticks = ticks }
    init(integerLiteral value: Int) { ticks = value }
    init?<T: BinaryInteger>(exactly source: T) {
      guard let ticks = Int(exactly: source) else { return nil }
      self.ticks = ticks
    }
    var magnitude: Int { abs(ticks) }
    static func < (a: Interval, b: Interval) -> Bool { a.ticks < b.ticks }
    static func + (a: Interval, b: Interval) -> Interval { Interval(ticks: a.ticks + b.ticks) }
    static func - (a: Interval, b: Interval) -> Interval { Interval(ticks: a.ticks - b.ticks) }
    static func * (a: Interval, b: Interval) -> Interval { Interval(ticks: a.ticks * b.ticks) }
    static func *= (a: inout Interval, b: Interval) { a.ticks *= b.ticks }
    static func seconds(_ s: Int) -> Interval { Interval(ticks: s * 1_000_000) }
    static func seconds(_ s: Double) -> Interval { Interval(ticks: Int(s * 1e6)) }
    static func milliseconds(_ ms: Int) -> Interval { Interval(ticks: ms * 1_000) }
    static func microseconds(_ us: Int) -> Interval { Interval(ticks: us) }
    static func nanoseconds(_ ns: Int) -> Interval { Interval(ticks: ns / 1_000) }
  }

  private(set) var now = Instant(ticks: 0)
  let minimumTolerance = Interval(ticks: 0)
  private var ready: [() -> Void] = []
  private var later: [(due: Int, action: () -> Void)] = []

  func advance(by interval: Interval) {
    let end = now.ticks + interval.ticks
    run()
    while let next = later.indices.min(by: { later[$0].due < later[$1].due }), later[next].due <= end {
      let job = later.remove(at: next)
      now.ticks = max(now.ticks, job.due)
      job.action()
      run()
    }
    now.ticks = end
  }

  private func run() {
    while !ready.isEmpty {
      let jobs = ready
      ready.removeAll()
      for job in jobs { job() }
    }
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { ready.append(action) }

  func schedule(after date: Instant, tolerance: Interval, options: Never?, _ action: @escaping () -> Void) {
    later.append((date.ticks, action))
  }

  func schedule(
    after date: Instant, interval: Interval, tolerance: Interval, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(action)
    schedule(repetition, at: date.ticks, every: interval.ticks)
    return repetition
  }

  private func schedule(_ repetition: Repetition, at due: Int, every interval: Int) {
    let action = {
      repetition.action?()
      if repetition.action != nil { self.schedule(repetition, at: due + interval, every: interval) }
    }
    later.append((due, action))
  }

  private final class Repetition: Cancellable {
    var action: (() -> Void)?
    init(_ action: @escaping () -> Void) { self.action = action }
    func cancel() { action = nil }
  }
}
