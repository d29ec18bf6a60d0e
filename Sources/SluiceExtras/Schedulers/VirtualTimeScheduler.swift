public import Dispatch
import HeapModule
public import Sluice
public import SluiceDispatch

/// A scheduler whose clock moves only when you move it: for tests, and for replaying recordings.
///
/// ```swift
/// let scheduler = VirtualTimeScheduler()
/// scheduler.schedule(after: scheduler.now.advanced(by: .seconds(60))) { print("a minute later") }
/// scheduler.advance(by: .seconds(60))  // at once: a minute later
/// ```
///
/// Actions run on the thread that moves the clock, in the order of their times. Actions of the same time run in the
/// order in which they were scheduled. Any thread may use it, but only one thread at a time may move the clock.
public final class VirtualTimeScheduler: Scheduler, @unchecked Sendable {
  // The lock protects the clock and the actions.
  /// The scheduler has no options.
  public typealias SchedulerOptions = Never

  /// A moment in virtual time.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// An interval, of the same type as that of a dispatch queue.
    public typealias Stride = DispatchQueue.SchedulerTimeType.Stride
    /// The time since the origin of the scheduler.
    public var nanoseconds: Int64

    /// Makes a time from nanoseconds.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The interval from this time to another.
    @inlinable public func distance(to other: Self) -> Stride {
      Stride(nanoseconds: other.nanoseconds) - Stride(nanoseconds: nanoseconds)
    }

    /// The time that is an interval later.
    @inlinable public func advanced(by n: Stride) -> Self {
      Self(nanoseconds: (Stride(nanoseconds: nanoseconds) + n).nanoseconds)
    }
  }

  /// The time of an action, and its place among actions of the same time.
  private struct Job: Comparable {
    let due: Int64
    let number: UInt64

    static func < (a: Job, b: Job) -> Bool { (a.due, a.number) < (b.due, b.number) }
  }

  private struct State {
    var now: Int64
    var jobs = Heap<Job>()  // with cancelled jobs, which have no action
    var actions: [UInt64: () -> Void] = [:]
    var count: UInt64 = 0

    init(now: Int64) { self.now = now }

    mutating func add(_ due: Int64, _ action: @escaping () -> Void) -> UInt64 {
      defer { count += 1 }
      jobs.insert(Job(due: due, number: count))
      actions[count] = action
      return count
    }

    /// The first job that is not cancelled.
    mutating func first() -> Job? {
      while let job = jobs.min {
        if actions[job.number] != nil { return job }
        jobs.removeMin()
      }
      return nil
    }

    /// - Returns: The action, to be released outside the lock.
    mutating func remove(_ number: UInt64) -> (() -> Void)? {
      defer {
        // Many cancelled jobs do not stay until they would have been due.
        if jobs.count > 2 * actions.count + 64 {
          jobs = Heap(jobs.unordered.filter { actions[$0.number] != nil })
        }
      }
      return actions.removeValue(forKey: number)
    }
  }

  private let state: Locked<State>

  /// - Parameter nanoseconds: The time of the clock at the start.
  public init(nanoseconds: Int64 = 0) { state = Locked(State(now: nanoseconds)) }

  /// The scheduler's current time.
  public var now: SchedulerTimeType { SchedulerTimeType(nanoseconds: state.withLock { $0.now }) }
  /// The smallest tolerance that the scheduler accepts.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  // MARK: The clock

  /// Moves the clock to a time, and runs all actions that are due by then, each at its own time.
  ///
  /// If the time has passed already, due actions run, and the clock stays unchanged.
  public func advance(to time: SchedulerTimeType) {
    while let job = next(until: time.nanoseconds) { job() }
  }

  /// Moves the clock by an interval.
  public func advance(by interval: SchedulerTimeType.Stride) { advance(to: now.advanced(by: interval)) }

  /// Runs all scheduled actions, and all actions that they schedule. The clock moves as far as needed.
  ///
  /// It does not return if an action repeats without end.
  public func run() {
    while let due = state.withLock({ $0.first()?.due }) { advance(to: SchedulerTimeType(nanoseconds: due)) }
  }

  /// The number of scheduled actions: 0 when every stream on this scheduler has ended.
  public var scheduledCount: Int { state.withLock { $0.actions.count } }

  private func next(until time: Int64) -> (() -> Void)? {
    state.withLock { state in
      guard let first = state.first(), first.due <= Swift.max(time, state.now) else {
        state.now = Swift.max(state.now, time)
        return nil
      }
      state.now = Swift.max(state.now, first.due)
      state.jobs.removeMin()
      return state.actions.removeValue(forKey: first.number)
    }
  }

  // MARK: Scheduler

  /// Runs an action as soon as possible.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    _ = state.withLock { $0.add($0.now, action) }
  }

  /// Runs an action at a time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    _ = state.withLock { $0.add(date.nanoseconds, action) }
  }

  /// Runs an action at a time, and again after each interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(self, interval: interval, action)
    repetition.schedule(at: date)
    return AnyCancellable(repetition)
  }

  private final class Repetition: Cancellable {
    private let scheduler: VirtualTimeScheduler
    private let interval: SchedulerTimeType.Stride
    private let action: () -> Void
    private let number = Locked<UInt64?>(0)  // of the next run; nil after it was cancelled

    init(_ scheduler: VirtualTimeScheduler, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void) {
      self.scheduler = scheduler
      self.interval = interval
      self.action = action
    }

    func schedule(at date: SchedulerTimeType) {
      number.withLock { number in
        guard number != nil else { return }
        number = scheduler.state.withLock { state in
          state.add(date.nanoseconds) {
            self.action()
            self.schedule(at: date.advanced(by: self.interval))
          }
        }
      }
    }

    func cancel() {
      let action = number.withLock { $0.take() }.flatMap { number in scheduler.state.withLock { $0.remove(number) } }
      withExtendedLifetime(action) {}
    }
  }
}
