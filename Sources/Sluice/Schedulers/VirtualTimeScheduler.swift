import HeapModule

/// A scheduler whose clock moves when it is told to: for tests, and for replaying what was recorded.
///
/// ```swift
/// let scheduler = VirtualTimeScheduler()
/// scheduler.schedule(after: scheduler.now.advanced(by: .seconds(60))) { print("a minute later") }
/// scheduler.advance(by: .seconds(60))  // at once: a minute later
/// ```
///
/// Actions run on the thread that moves the clock, in the order of their times, those of one time in the order in which
/// they were scheduled. May be used from any thread; one at a time moves the clock.
public final class VirtualTimeScheduler: Scheduler, @unchecked Sendable {
  // The lock protects the clock and the actions.
  public typealias SchedulerOptions = Never

  /// A moment in virtual time.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    public typealias Stride = SchedulerStride
    /// Since whatever the scheduler was told to begin at.
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public func distance(to other: Self) -> SchedulerStride {
      SchedulerStride(nanoseconds: other.nanoseconds) - SchedulerStride(nanoseconds: nanoseconds)
    }

    @inlinable public func advanced(by n: SchedulerStride) -> Self {
      Self(nanoseconds: (SchedulerStride(nanoseconds: nanoseconds) + n).nanoseconds)
    }
  }

  private struct Job: Comparable {
    let due: Int64
    let number: UInt64
    let action: () -> Void

    static func < (a: Job, b: Job) -> Bool { (a.due, a.number) < (b.due, b.number) }
    static func == (a: Job, b: Job) -> Bool { a.number == b.number }
  }

  private struct State {
    var now: Int64
    var jobs = Heap<Job>()
    var count: UInt64 = 0

    mutating func add(_ due: Int64, _ action: @escaping () -> Void) {
      jobs.insert(Job(due: due, number: count, action: action))
      count += 1
    }
  }

  private let state: Locked<State>

  /// - Parameter nanoseconds: What the clock shows at first.
  public init(nanoseconds: Int64 = 0) { state = Locked(State(now: nanoseconds)) }

  public var now: SchedulerTimeType { SchedulerTimeType(nanoseconds: state.withLock { $0.now }) }
  public var minimumTolerance: SchedulerStride { .zero }

  // MARK: The clock

  /// Moves the clock on, running whatever is due on the way, each at its own time.
  ///
  /// A time that has passed already runs what is due and leaves the clock where it is.
  public func advance(to time: SchedulerTimeType) {
    while let job = next(until: time.nanoseconds) { job() }
  }

  /// Moves the clock on by an interval.
  public func advance(by interval: SchedulerStride) { advance(to: now.advanced(by: interval)) }

  /// Runs everything that is scheduled and whatever that schedules, moving the clock as far as it takes.
  ///
  /// Does not return while something repeats itself without end.
  public func run() {
    while let due = state.withLock({ $0.jobs.min?.due }) { advance(to: SchedulerTimeType(nanoseconds: due)) }
  }

  private func next(until time: Int64) -> (() -> Void)? {
    state.withLock { state in
      guard let first = state.jobs.min, first.due <= Swift.max(time, state.now) else {
        state.now = Swift.max(state.now, time)
        return nil
      }
      state.now = Swift.max(state.now, first.due)
      return state.jobs.popMin()?.action
    }
  }

  // MARK: Scheduler

  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    state.withLock { $0.add($0.now, action) }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerStride, options: Never?, _ action: @escaping () -> Void
  ) {
    state.withLock { $0.add(date.nanoseconds, action) }
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerStride, tolerance: SchedulerStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(self, interval: interval, action)
    repetition.schedule(at: date)
    return AnyCancellable { repetition.cancel() }
  }

  private final class Repetition {
    private let scheduler: VirtualTimeScheduler
    private let interval: SchedulerStride
    private let action: Locked<(() -> Void)?>

    init(_ scheduler: VirtualTimeScheduler, interval: SchedulerStride, _ action: @escaping () -> Void) {
      self.scheduler = scheduler
      self.interval = interval
      self.action = Locked(action)
    }

    func schedule(at date: SchedulerTimeType) {
      scheduler.schedule(after: date) {
        guard let action = self.action.withLock({ $0 }) else { return }
        action()
        self.schedule(at: date.advanced(by: self.interval))
      }
    }

    func cancel() {
      let action = action.withLock { action in
        defer { action = nil }
        return action
      }
      withExtendedLifetime(action) {}
    }
  }
}
