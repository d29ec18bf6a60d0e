extension Publisher {
  /// Subscribes, requests and cancels on a scheduler.
  ///
  /// ```swift
  /// slowToStart.subscribe(on: DispatchQueue.global())
  /// ```
  ///
  /// - Demand: Passes through, on the scheduler.
  /// - Thread: The thread of upstream; use ``receive(on:options:)`` to change it.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Subscribes, requests and cancels on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The scheduler that subscribes, requests and cancels.
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    @inlinable public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (upstream, scheduler, options) = (upstream, scheduler, options)
      let conduit = Operators.StageConduit(
        "SubscribeOn", SubscribeOnStage<Output, Failure>(), subscriber, takesNoDemand: true)
      conduit.link.schedule = { scheduler.schedule(options: options, $0) }
      scheduler.schedule(options: options) { upstream._attach(conduit) }
    }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

@usableFromInline
struct SubscribeOnStage<Input, Failure: Error>: Operators.Stage {
  @inlinable init() {}
  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Input, Failure> { .emit(input) }
}
