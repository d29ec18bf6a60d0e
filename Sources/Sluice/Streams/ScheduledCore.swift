extension Operators {
  /// The core of an operator that needs its scheduler, to deliver there or to be called again later.
  ///
  /// It requests a turn with `.perform(.soon)` or `.perform(.after(_:))`. A core that delivers only on its scheduler
  /// returns values from ``Core/next(_:)`` only during a turn that drains. If another thread drains the conduit, it
  /// requests another turn instead.
  public protocol ScheduledCore<Instant>: Operators.Core where Effect == Operators.Turn<Instant> {
    /// The type of the scheduler's time.
    associatedtype Instant

    /// Begins a turn.
    ///
    /// A turn delivers the values that wait at its start. Values that come later wait for another turn, because the
    /// scheduler has other work.
    /// - Parameter turn: The requested turn.
    /// - Parameter drains: Whether this turn calls ``Core/next(_:)`` from now on, until it returns nil, a request, a
    ///   cancel or an effect. If not, another thread drains the conduit, and makes that call.
    mutating func turn(_ turn: Operators.Turn<Instant>, at now: Instant, drains: Bool)
  }

  /// The request of a ``ScheduledCore`` to its scheduler.
  public enum Turn<Instant> {
    /// As soon as possible.
    case soon
    /// At that time. It replaces an earlier request that has not come yet.
    case after(Instant)
  }

  /// A scheduled core with decisions that depend on the time of its input.
  public protocol TimedCore<Input, Output, Failure>: Operators.ScheduledCore {
    /// The type of upstream's values.
    associatedtype Input
    /// The type of the values that it discards for an input.
    associatedtype Leftover = Void
    /// The type of the values that it discards at the end.
    associatedtype LastLeftover = Void

    /// Notes that upstream's subscription has come.
    mutating func start(at now: Instant)
    /// Takes an input that has come now.
    mutating func receive(_ input: Input, at now: Instant) -> Leftover
    /// Notes upstream's end, which has come now.
    mutating func receive(completion: Subscribers.Completion<Failure>, at now: Instant) -> LastLeftover
  }
}

extension Operators.TimedCore {
  /// By default nothing happens.
  @inlinable public mutating func start(at now: Instant) {}
}

extension Operators {
  /// Gives input to a ``TimedCore`` together with the time, which is read outside the lock.
  @frozen
  public struct TimedInlet<Core: TimedCore, Context: Scheduler, Failure: Error, Downstream: Subscriber>: Subscriber,
    Description
  where
    Core.Output == Downstream.Input, Core.Failure == Downstream.Failure, Context.SchedulerTimeType == Core.Instant
  {
    public typealias Input = Core.Input

    @usableFromInline let conduit: Conduit<Core, Downstream>
    @usableFromInline let scheduler: Context
    /// Called outside the lock with the discarded values.
    @usableFromInline let settle: (Core.Leftover) -> Void
    /// Converts upstream's failure into the core's failure.
    @usableFromInline let failure: (Failure) -> Core.Failure

    /// - Parameters:
    ///   - settle: Called outside the lock with the discarded values.
    ///   - failure: Converts upstream's failure into the core's failure.
    @inlinable public init(
      _ conduit: Conduit<Core, Downstream>, _ scheduler: Context,
      settle: @escaping (Core.Leftover) -> Void = { _ in },
      failure: @escaping (Failure) -> Core.Failure
    ) {
      self.conduit = conduit
      self.scheduler = scheduler
      self.settle = settle
      self.failure = failure
    }

    /// The name of the operator.
    public var name: StaticString { conduit.name }
    @inlinable public var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

    /// Gives the core the time, and connects upstream.
    @inlinable public func receive(subscription: any Subscription) {
      let now = scheduler.now
      conduit.state.withLock { state in
        if case .awaited? = state.upstreams.first { state.core?.start(at: now) }
      }
      conduit.connect(subscription, 0)
    }

    /// Gives the core a value and the time.
    @inlinable public func receive(_ input: Core.Input) -> Subscribers.Demand {
      let now = scheduler.now
      return conduit.feed(answering: 0, passing: { _ in nil }, settling: settle) { $0.receive(input, at: now) }
    }

    /// Notes upstream's end in the core, with the time.
    @inlinable public func receive(completion: Subscribers.Completion<Failure>) {
      let now = scheduler.now
      let completion: Subscribers.Completion<Core.Failure> =
        switch completion {
        case .finished: .finished
        case .failure(let error): .failure(failure(error))
        }
      conduit.disconnect(0)
      conduit.feed { $0.receive(completion: completion, at: now) }
    }
  }
}

extension Operators.TimedInlet where Failure == Core.Failure {
  /// - Parameter settle: Called outside the lock with the discarded values.
  @inlinable public init(
    _ conduit: Operators.Conduit<Core, Downstream>, _ scheduler: Context,
    settle: @escaping (Core.Leftover) -> Void = { _ in }
  ) {
    self.init(conduit, scheduler, settle: settle, failure: { $0 })
  }
}

extension Operators.Conduit where Core: Operators.ScheduledCore {
  /// - Parameter interval: The usual time between the request for a turn and the turn.
  @inlinable public convenience init<S: Scheduler>(
    _ name: StaticString, _ core: Core, _ downstream: Downstream, on scheduler: S,
    every interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
    options: S.SchedulerOptions? = nil
  ) where S.SchedulerTimeType == Core.Instant {
    let alarm = Alarm()
    self.init(name, core, downstream) { turn, conduit in
      // The closure holds the conduit, because nothing else may hold it: the source may have ended, and not every
      // subscriber keeps its subscription.
      switch turn {
      case .soon:
        scheduler.schedule(options: options) { conduit.turn(turn, at: scheduler.now) }
      case .after(let instant):
        alarm.set(
          { action in
            scheduler.schedule(
              after: instant, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, options: options,
              action)
          },
          { conduit.turn(turn, at: scheduler.now) })
      }
    }
    state.withLock { $0.alarm = alarm }
  }

  /// Makes a conduit for a core that requests only turns as soon as possible.
  @inlinable public convenience init<S: Scheduler>(
    _ name: StaticString, _ core: Core, _ downstream: Downstream, on scheduler: S, options: S.SchedulerOptions?
  ) where S.SchedulerTimeType == Core.Instant {
    self.init(name, core, downstream) { turn, conduit in
      scheduler.schedule(options: options) { conduit.turn(turn, at: scheduler.now) }
    }
  }

  /// Gives the core its turn, on the scheduler.
  @inlinable func turn(_ turn: Operators.Turn<Core.Instant>, at now: Core.Instant) {
    var answer = Answer(inlet: -1)
    var out = Operators.Outbox<Core>()
    let first = state.withLock { state -> Operators.Action? in
      let drains = !state.draining
      state.core?.turn(turn, at: now, drains: drains)
      guard drains, state.core != nil else { return nil }
      state.draining = true
      return state.next(&out, &answer)
    }
    if let first { drain(first, &out, &answer) }
  }
}
