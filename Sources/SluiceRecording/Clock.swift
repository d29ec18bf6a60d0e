public import Sluice

extension Publisher where Output == Reading {
  /// Moves a virtual clock to the time of each reading, so that operators behind it cut by the readings' own time.
  ///
  /// ```swift
  /// let time = VirtualTimeScheduler()
  /// readings.clock(time).throttle(for: .milliseconds(100), scheduler: time, latest: true)
  /// ```
  ///
  /// A replay then gives the same readings on any machine, at any speed, and the same as the live recording gave. What
  /// waits for a time comes out with the first reading after it, or at the end.
  @inlinable public func clock(_ scheduler: VirtualTimeScheduler) -> Publishers.Clock<Self> {
    Publishers.Clock(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// Moves a virtual clock to the time of each reading.
  public struct Clock<Upstream: Publisher>: Publisher where Upstream.Output == Reading {
    public typealias Output = Reading
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let scheduler: VirtualTimeScheduler

    @inlinable init(upstream: Upstream, scheduler: VirtualTimeScheduler) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Failure {
      upstream._attach(ClockSubscriber(downstream: subscriber, scheduler: scheduler))
    }
  }
}

@usableFromInline
struct ClockSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Input == Reading {
  @usableFromInline typealias Input = Reading
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let scheduler: VirtualTimeScheduler

  @inlinable init(downstream: Downstream, scheduler: VirtualTimeScheduler) {
    self.downstream = downstream
    self.scheduler = scheduler
  }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable func receive(_ input: Reading) -> Subscribers.Demand {
    let time = VirtualTimeScheduler.SchedulerTimeType(nanoseconds: input.time)
    scheduler.advance(to: time)
    let demand = downstream.receive(input)
    scheduler.advance(to: time)  // what is to happen at once
    return demand
  }

  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
    scheduler.run()  // what still waits for its time
  }
}
