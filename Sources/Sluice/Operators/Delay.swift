public import DequeModule

extension Publisher {
  /// Delivers values and the end later, on a scheduler.
  ///
  /// ```swift
  /// readings.delay(for: .milliseconds(100), scheduler: DispatchQueue.main)
  /// ```
  ///
  /// ```text
  /// upstream           -1-2--3|
  /// delay(for: 20 ms)  ---1-2--3|
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: On the scheduler.
  /// - Memory: Unbounded if downstream wants everything: values until they are due.
  /// - Failure: Delays upstream's as well, after the values before it.
  @inlinable public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// Delivers values and the end later.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    /// The longest additional delay of a value.
    public let tolerance: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    @inlinable public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
      scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = DelayCore<Output, Failure, Context.SchedulerTimeType>(interval: interval)
      let conduit = Operators.Conduit(
        "Delay", core, subscriber, on: scheduler, every: interval, tolerance: tolerance, options: options)
      upstream._attach(Operators.TimedInlet(conduit, scheduler))
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable, Context.SchedulerOptions: Sendable
{}

@usableFromInline
struct DelayCore<Value, Failure: Error, Instant: Strideable>: Operators.TimedCore {
  @usableFromInline typealias Output = Value

  @usableFromInline let interval: Instant.Stride
  @usableFromInline var queue: Deque<(value: Value, due: Instant)> = []
  @usableFromInline var end: (completion: Subscribers.Completion<Failure>, due: Instant)?
  @usableFromInline var waiting = false
  @usableFromInline var now: Instant?  // during a turn
  @usableFromInline var owed = Subscribers.Demand.none

  @inlinable init(interval: Instant.Stride) { self.interval = interval }

  @inlinable mutating func request(_ more: Subscribers.Demand) { owed += more }

  @inlinable mutating func receive(_ input: Value, at now: Instant) {
    if end == nil { queue.append((input, now.advanced(by: interval))) }
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, at now: Instant) {
    if end == nil { end = (completion, now.advanced(by: interval)) }
  }

  @inlinable mutating func turn(_: Operators.Turn<Instant>, at now: Instant, drains: Bool) {
    waiting = false
    self.now = drains ? now : nil
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let now {
      if let first = queue.first {
        if first.due <= now {
          queue.removeFirst()
          return out.deliver(first.value)
        }
      } else if let end, end.due <= now {
        return out.complete(end.completion)
      }
      self.now = nil
    }
    if owed != .none { return .request(owed.take(), inlet: 0) }
    guard !waiting, let due = queue.first?.due ?? end?.due else { return nil }
    waiting = true
    return out.perform(.after(due))
  }
}
