public import DequeModule

extension Publisher {
  /// Ends the stream if no value has come for a while.
  ///
  /// ```swift
  /// readings.timeout(.seconds(5), scheduler: DispatchQueue.main) { SensorError.silent }
  /// ```
  ///
  /// ```text
  /// upstream                  -1-2------3--|
  /// timeout(30 ms)            -1-2--|
  /// timeout(30 ms) { error }  -1-2--x
  /// ```
  ///
  /// The time counts from the subscription, and from each value.
  ///
  /// - Parameter customError: Makes the error to fail with; if nil, the stream finishes.
  ///
  /// - Demand: Passes through.
  /// - Thread: On the scheduler.
  /// - Memory: Unbounded if downstream wants everything: values until the scheduler takes them.
  /// - Failure: Passes on upstream's after the values before it; fails with `customError` after a silence.
  @inlinable public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// Ends the stream if no value has come for a while.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The longest time without a value.
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?
    /// Makes the error to fail with after a silence; nil to finish.
    public let customError: (() -> Upstream.Failure)?

    @inlinable public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Upstream.Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = TimeoutCore<Output, Failure, Context.SchedulerTimeType>(start: scheduler.now, interval: interval)
      let downstream = TimeoutSubscriber(downstream: subscriber, customError: customError)
      let conduit = Operators.Conduit("Timeout", core, downstream, on: scheduler, every: interval, options: options)
      upstream._attach(Operators.TimedInlet(conduit, scheduler, failure: { .upstream($0) }))
    }
  }
}

/// The reason for the end of a timeout. Its core must not make the error itself, because that closure is foreign code.
@usableFromInline
enum TimeoutFailure<Failure: Error>: Error {
  case upstream(Failure)
  case silence
}

@usableFromInline
struct TimeoutSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = TimeoutFailure<Downstream.Failure>

  @usableFromInline let downstream: Downstream
  @usableFromInline let customError: (() -> Downstream.Failure)?

  @inlinable init(downstream: Downstream, customError: (() -> Downstream.Failure)?) {
    self.downstream = downstream
    self.customError = customError
  }

  @usableFromInline var name: StaticString { "Timeout" }
  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(.upstream(let error)): downstream.receive(completion: .failure(error))
    case .failure(.silence): downstream.receive(completion: customError.map { .failure($0()) } ?? .finished)
    }
  }
}

@usableFromInline
struct TimeoutCore<Value, UpstreamFailure: Error, Instant: Strideable>: Operators.TimedCore {
  @usableFromInline typealias Output = Value
  @usableFromInline typealias Failure = TimeoutFailure<UpstreamFailure>

  @usableFromInline let interval: Instant.Stride
  @usableFromInline var deadline: Instant
  @usableFromInline var alarm: Instant?  // the time of the alarm that is set; at the latest the deadline
  @usableFromInline var waiting = false  // whether a turn for the queue was requested
  @usableFromInline var rest: Int?  // the number of values that the current turn may still deliver
  @usableFromInline var queue: Deque<Value> = []
  @usableFromInline var owed = Subscribers.Demand.none
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(start: Instant, interval: Instant.Stride) {
    self.interval = interval
    deadline = start.advanced(by: interval)
  }

  @inlinable mutating func start(at now: Instant) { deadline = now.advanced(by: interval) }

  @inlinable mutating func request(_ more: Subscribers.Demand) { owed += more }

  @inlinable mutating func receive(_ input: Value, at now: Instant) {
    guard end == nil else { return }
    deadline = now.advanced(by: interval)
    queue.append(input)
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, at now: Instant) {
    end = end ?? completion
  }

  @inlinable mutating func turn(_ turn: Operators.Turn<Instant>, at now: Instant, drains: Bool) {
    switch turn {
    case .soon: waiting = false
    // An alarm that came too early, because the clock was set back, is set again.
    case .after: alarm = nil
    }
    if now >= deadline, end == nil, queue.isEmpty { end = .failure(.silence) }
    rest = drains ? queue.count : nil
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let rest {
      if rest > 0, let value = queue.popFirst() {
        self.rest = rest - 1
        return out.deliver(value)
      }
      if let end, queue.isEmpty { return out.complete(end) }
      self.rest = nil
    }
    if owed != .none { return .request(owed.take(), inlet: 0) }
    if !waiting, !queue.isEmpty || end != nil {
      waiting = true
      return out.perform(.soon)
    }
    // One alarm at a time. If a value has come before it goes off, it is set again.
    guard alarm == nil, end == nil else { return nil }
    alarm = deadline
    return out.perform(.after(deadline))
  }
}
