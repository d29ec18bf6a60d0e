extension Publisher {
  /// Passes at most one value in each interval: the first or the latest.
  ///
  /// ```swift
  /// readings.throttle(for: .milliseconds(100), scheduler: queue, latest: true)
  /// ```
  ///
  /// ```text
  /// upstream                             -123-----456----|
  /// throttle(for: 30 ms, latest: true)   -1--3----4--6---|
  /// throttle(for: 30 ms, latest: false)  -1--2----4--5---|
  /// ```
  ///
  /// The very first value passes at once. A waiting value comes before the end.
  ///
  /// - Parameter latest: Whether the latest value of an interval is kept, not its first.
  ///
  /// - Demand: Asks for everything; values without demand are dropped.
  /// - Thread: On the scheduler.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's after the waiting value.
  @inlinable public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }

  /// Passes at most one value in each interval, and reports the values that it leaves out.
  ///
  /// - Parameter dropped: Called with each value that is left out, on the thread of the value that caused this.
  @inlinable public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool, dropped: @escaping (Output) -> Void
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest, dropped: dropped)
  }
}

extension Publishers {
  /// Passes at most one value in each interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The length of an interval.
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    /// Whether the latest value of an interval is delivered, not its first.
    public let latest: Bool
    @usableFromInline let dropped: ((Output) -> Void)?

    @inlinable public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.init(upstream: upstream, interval: interval, scheduler: scheduler, latest: latest, dropped: nil)
    }

    @inlinable init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool,
      dropped: ((Output) -> Void)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
      self.dropped = dropped
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = ThrottleCore<Output, Failure, Context.SchedulerTimeType>(interval: interval, latest: latest)
      let conduit = Operators.Conduit("Throttle", core, subscriber, on: scheduler, every: interval)
      let dropped = dropped
      upstream._attach(
        Operators.TimedInlet(conduit, scheduler) { leftover in
          if let leftover { dropped?(leftover) }
        })
    }
  }
}

@usableFromInline
struct ThrottleCore<Value, Failure: Error, Instant: Strideable>: Operators.TimedCore {
  @usableFromInline typealias Output = Value

  @usableFromInline enum Phase {
    case idle
    case due(Instant?)  // a turn must be requested
    case waiting
    case turn(Instant)
  }

  @usableFromInline let interval: Instant.Stride
  @usableFromInline let latest: Bool
  @usableFromInline var phase = Phase.idle
  @usableFromInline var held: Value?  // its demand is already spent
  @usableFromInline var last: Instant?  // the time of the last value that passed
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(interval: Instant.Stride, latest: Bool) {
    self.interval = interval
    self.latest = latest
  }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }

  @inlinable mutating func request(_ more: Subscribers.Demand) { demand += more }

  @inlinable mutating func receive(_ input: Value, at now: Instant) -> Value? {
    guard end == nil else { return input }
    if held != nil {
      // For any demand now: the held value has already used its demand, and a newer value replaces it.
      guard latest else { return input }
      defer { held = input }
      return held
    }
    guard demand != .none else { return input }
    demand.spend()
    held = input
    let next = last?.advanced(by: interval)
    phase = .due(next.flatMap { $0 > now ? $0 : nil })
    return nil
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, at now: Instant) {
    guard end == nil else { return }
    end = completion
    if held == nil { phase = .due(nil) }
  }

  @inlinable mutating func turn(_: Operators.Turn<Instant>, at now: Instant, drains: Bool) {
    phase = drains ? .turn(now) : .due(nil)
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    switch phase {
    case .idle, .waiting:
      return nil
    case .due(let instant):
      phase = .waiting
      return out.perform(instant.map { .after($0) } ?? .soon)
    case .turn(let now):
      if let value = held {
        held = nil
        last = now
        return out.deliver(value)
      }
      if let end { return out.complete(end) }
      phase = .idle
      return nil
    }
  }
}
