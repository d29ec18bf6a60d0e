public import DequeModule

extension Publisher {
  /// Delivers values and the end on a scheduler.
  ///
  /// ```swift
  /// readings.receive(on: DispatchQueue.main).sink { print($0) }
  /// ```
  ///
  /// Subscriptions and requests stay on the thread of their call. Values keep their order. Values that gather while the
  /// scheduler is busy are delivered together, in one job. Values that come during that job wait for the next.
  ///
  /// - Demand: Passes through.
  /// - Thread: On the scheduler.
  /// - Memory: Unbounded if downstream wants everything: values until the scheduler takes them.
  /// - Failure: Passes on upstream's on the scheduler, after the values before it.
  @inlinable public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Delivers values and the end on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    @inlinable public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = ReceiveOnCore<Output, Failure, Context.SchedulerTimeType>()
      let conduit = Operators.Conduit("ReceiveOn", core, subscriber, on: scheduler, options: options)
      upstream._attach(Operators.Inlet(conduit, Operators.OnlyPort()))
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

@usableFromInline
struct ReceiveOnCore<Value, Failure: Error, Instant>: Operators.ScheduledCore, Operators.SingleInputCore {
  @usableFromInline typealias Output = Value
  @usableFromInline typealias Effect = Operators.Turn<Instant>

  /// The number of values that the turn may still deliver: those that were waiting when it began.
  @usableFromInline enum Phase { case idle, waiting, turn(Int) }

  @usableFromInline var phase = Phase.idle
  @usableFromInline var queue: Deque<Value> = []
  @usableFromInline var owed = Subscribers.Demand.none
  @usableFromInline var givesRuns = false
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init() {}

  @inlinable mutating func request(_ more: Subscribers.Demand) { owed += more }

  @inlinable mutating func receive(_ input: Value) { if end == nil { queue.append(input) } }

  @inlinable static var takesRuns: Bool { true }
  @inlinable mutating func receive(run: inout ArraySlice<Value>, _: inout [Void]) {
    if end == nil { queue.append(contentsOf: run) }
    run = []
  }

  @inlinable mutating func giveRuns() { givesRuns = true }

  @inlinable mutating func takeRun() -> [Value] {
    guard case .turn(let rest) = phase else { return [] }
    phase = .turn(0)
    // Usually nothing has come in the meantime, and the whole queue is taken. That saves 8 instructions per value.
    if rest == queue.count {
      defer { queue.removeAll(keepingCapacity: true) }
      return Array(queue)
    }
    defer { queue.removeFirst(rest) }
    return Array(queue.prefix(rest))
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func turn(_: Operators.Turn<Instant>, at now: Instant, drains: Bool) {
    phase = drains ? .turn(queue.count) : .idle
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .turn(let rest) = phase {
      if givesRuns, rest > 1 { return .deliverRun }
      if rest > 0, let value = queue.popFirst() {
        phase = .turn(rest - 1)
        return out.deliver(value)
      }
      if let end, queue.isEmpty { return out.complete(end) }
      phase = .idle
    }
    // Only now: the demand returned for a whole batch is requested at once, and after that this may be another thread's
    // turn.
    if owed != .none { return .request(owed.take(), inlet: 0) }
    guard case .idle = phase, !queue.isEmpty || end != nil else { return nil }
    phase = .waiting
    return out.perform(.soon)
  }
}
