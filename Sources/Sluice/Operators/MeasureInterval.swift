extension Publisher {
  /// Publishes the time from one value to the next, and from the subscription to the first.
  ///
  /// ```swift
  /// ticks.measureInterval(using: DispatchQueue.main).sink { print($0) }
  /// ```
  ///
  /// - Parameter options: Not used, as in Combine: nothing is scheduled.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream; the scheduler only tells the time.
  /// - Memory: Keeps the time of the last value.
  /// - Failure: Passes on upstream's.
  @inlinable public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// Publishes the time from one value to the next.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = Context.SchedulerTimeType.Stride
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The scheduler that measures the time.
    public let scheduler: Context

    @inlinable public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(MeasureIntervalSubscriber<Upstream.Output, Context, S>(subscriber, scheduler))
    }
  }
}

extension Publishers.MeasureInterval: Sendable where Upstream: Sendable, Context: Sendable {}

@usableFromInline
final class MeasureIntervalSubscriber<Input, Context: Scheduler, Downstream: Subscriber>: Subscriber,
  Operators.Description
where Downstream.Input == Context.SchedulerTimeType.Stride {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let scheduler: Context
  @usableFromInline let link = StageLink("MeasureInterval", ratio: 1, surplus: 0, takesNoDemand: true)
  @usableFromInline var last: Context.SchedulerTimeType?  // used only by upstream's serial calls

  @inlinable init(_ downstream: Downstream, _ scheduler: Context) {
    self.downstream = downstream
    self.scheduler = scheduler
  }

  @usableFromInline var name: StaticString { link.name }

  @inlinable func receive(subscription: any Subscription) {
    guard link.connect(subscription) != nil else { return subscription.cancel() }
    last = scheduler.now
    downstream.receive(subscription: link)
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard link.isLive, let before = last else { return .none }
    let now = scheduler.now
    last = now
    let more = downstream.receive(before.distance(to: now))
    // Requested, not returned, as in Combine.
    if more != .none { link.request(more) }
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    if link.end() != nil { downstream.receive(completion: completion) }
  }
}
