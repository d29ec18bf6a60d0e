extension Publisher {
  /// Publishes a value when no other has followed it for a while.
  ///
  /// ```swift
  /// button.debounce(for: .milliseconds(20), scheduler: DispatchQueue.main)
  /// ```
  ///
  /// ```text
  /// upstream              -a-b-c------d-e|
  /// debounce(for: 30 ms)  --------c------|
  /// ```
  ///
  /// The end comes without delay. A value that is not due by then is dropped, as in Combine.
  ///
  /// - Demand: Asks for everything; a value that is due without demand is dropped.
  /// - Thread: On the scheduler.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's without delay.
  @inlinable public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Publishes a value when no other has followed it for a while.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The time for which no other value may come.
    public let dueTime: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    @inlinable public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = DebounceCore<Output, Failure, Context.SchedulerTimeType>(dueTime: dueTime)
      let conduit = Operators.Conduit("Debounce", core, subscriber, on: scheduler, every: dueTime, options: options)
      upstream._attach(Operators.TimedInlet(conduit, scheduler))
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable, Context.SchedulerOptions: Sendable
{}

@usableFromInline
struct DebounceCore<Value, Failure: Error, Instant: Strideable>: Operators.TimedCore {
  @usableFromInline typealias Output = Value

  @usableFromInline enum Phase {
    case idle
    case waiting
    case turn(Instant)
  }

  @usableFromInline let dueTime: Instant.Stride
  @usableFromInline var latest: (value: Value, due: Instant)?
  @usableFromInline var phase = Phase.idle
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var endAsked = false  // whether a turn for the end was requested

  @inlinable init(dueTime: Instant.Stride) { self.dueTime = dueTime }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }

  @inlinable mutating func request(_ more: Subscribers.Demand) { demand += more }

  /// - Returns: The replaced value.
  @inlinable mutating func receive(_ input: Value, at now: Instant) -> Value? {
    guard end == nil else { return input }
    defer { latest = (input, now.advanced(by: dueTime)) }
    return latest?.value
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, at now: Instant) -> Value? {
    guard end == nil else { return nil }
    end = completion
    defer { latest = nil }
    return latest?.value
  }

  @inlinable mutating func turn(_: Operators.Turn<Instant>, at now: Instant, drains: Bool) {
    phase = drains ? .turn(now) : .idle
    endAsked = false
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .turn(let now) = phase {
      if let end { return out.complete(end) }
      if let value = latest?.value, let due = latest?.due, due <= now {
        latest = nil
        if demand != .none {
          demand.spend()
          return out.deliver(value)
        }
        out.discard(value)
      }
      phase = .idle
    }
    if end != nil {
      // The end does not wait until the value would have been due.
      guard !endAsked else { return nil }
      endAsked = true
      return out.perform(.soon)
    }
    // One alarm at a time. A value that comes before it is handled when it goes off.
    guard case .idle = phase, let due = latest?.due else { return nil }
    phase = .waiting
    return out.perform(.after(due))
  }
}
