public import Synchronization

extension Operators {
  /// The one class behind the tier 1 operators that may end a stream, or count inputs against outputs.
  public final class StageConduit<S: Operators.Stage, Failure: Error, Downstream: Subscriber>: Subscriber, Operators
      .Description,
    @unchecked Sendable
  where S.Output == Downstream.Input, S.Failure == Downstream.Failure {
    // Only the upstream, with serial calls, uses `stage`; the link protects itself.

    public typealias Input = S.Input

    @usableFromInline let downstream: Downstream
    @usableFromInline let ratio: Int
    #if !DEBUG
      @exclusivity(unchecked)
    #endif
    @usableFromInline var stage: S
    @usableFromInline let link: StageLink
    @usableFromInline let failure: (Failure) -> S.Failure

    /// - Parameters:
    ///   - takesNoDemand: Whether `request(.none)` is allowed, as Combine allows it in some operators.
    ///   - failure: Converts upstream's failure into downstream's.
    @inlinable public init(
      _ name: StaticString, _ stage: S, _ downstream: Downstream, takesNoDemand: Bool,
      failure: @escaping (Failure) -> S.Failure
    ) {
      self.stage = stage
      self.failure = failure
      self.ratio = stage.ratio
      self.downstream = downstream
      link = StageLink(name, ratio: stage.ratio, surplus: stage.surplus, takesNoDemand: takesNoDemand)
    }

    /// The name in debuggers.
    public var name: StaticString { link.name }

    /// Gives downstream its subscription before upstream has sent one.
    @inlinable public func open() {
      link.isOpen = true
      downstream.receive(subscription: link)
    }

    @inlinable public func receive(subscription: any Subscription) {
      guard let demand = link.connect(subscription) else { return subscription.cancel() }
      if !link.isOpen { downstream.receive(subscription: link) }
      if demand != .none { subscription.request(demand) }
    }

    @inlinable public func receive(_ input: S.Input) -> Subscribers.Demand {
      switch S.lateInput {
      case .ignored, .end: guard link.isLive else { return .none }
      case .values: break
      case .valuesAndEnd: guard !link.isCancelled else { return .none }
      case .unlessEnded: guard !link.hasEnded else { return .none }
      }
      switch stage.receive(input) {
      case .emit(let output):
        let more = downstream.receive(output)
        return ratio == 1 ? more : more * ratio
      case .skip:
        return .max(1)
      case .absorb:
        return .none
      case .last(let output):
        let more = downstream.receive(output)
        stop(.finished)
        return more
      case .finish:
        stop(.finished)
      case .fail(let error):
        stop(.failure(error))
      }
      return .none
    }

    /// Whether it gains from runs of values.
    @inlinable public var _takesRuns: Bool { downstream._takesRuns }

    /// Receives a run of values.
    @inlinable public func _receive(run: ArraySlice<S.Input>) -> Operators.Taken {
      guard link.isLive else { return .nothing }
      if let outputs = stage.pass(run: run) {
        var taken = downstream._receive(run: outputs)
        taken.demand *= ratio
        return taken
      }
      var end: Subscribers.Completion<S.Failure>?
      var taken = run.receive(by: downstream, perDemand: ratio) { input in
        guard end == nil else { return .rest }
        switch stage.receive(input) {
        case .emit(let output): return .output(output)
        case .skip: return .skip
        case .absorb: return .absorb
        case .last(let output):
          end = .finished
          return .output(output)
        case .finish: end = .finished
        case .fail(let error): end = .failure(error)
        }
        return .absorb
      }
      if let end {
        if !taken.isOver { stop(end) }
        taken.isOver = true
      }
      return taken
    }

    @inlinable public func receive(completion: Subscribers.Completion<Failure>) {
      let wasLive = link.end() != nil
      switch S.lateInput {
      case .ignored, .values: guard wasLive else { return }
      case .end, .valuesAndEnd: guard wasLive || !link.isCancelled else { return }
      case .unlessEnded: guard wasLive || link.abandon() else { return }
      }
      switch completion {
      case .finished:
        if wasLive, let rest = stage.flush() { _ = downstream.receive(rest) }
        if !link.isCancelled { downstream.receive(completion: .finished) }
      case .failure(let error):
        _ = stage.flush()  // discarded
        downstream.receive(completion: .failure(failure(error)))
      }
    }

    @inlinable func stop(_ completion: Subscribers.Completion<S.Failure>) {
      if let upstream = link.end() {
        upstream.cancel()
      } else {
        guard S.lateInput == .unlessEnded, link.abandon() else { return }
      }
      downstream.receive(completion: completion)
    }
  }
}

extension Operators.StageConduit where Failure == S.Failure {
  /// Makes a conduit that passes on upstream's failure.
  @inlinable public convenience init(
    _ name: StaticString, _ stage: S, _ downstream: Downstream, takesNoDemand: Bool = false
  ) {
    self.init(name, stage, downstream, takesNoDemand: takesNoDemand, failure: { $0 })
  }
}

extension Operators.StageConduit where S.Failure == any Error {
  /// Makes a conduit that passes on upstream's failure as any error.
  @inlinable public convenience init(
    _ name: StaticString, _ stage: S, _ downstream: Downstream, takesNoDemand: Bool = false
  ) {
    self.init(name, stage, downstream, takesNoDemand: takesNoDemand, failure: { $0 })
  }
}

/// The subscription of a tier 1 operator. It passes requests to upstream until it ends.
///
/// Not generic, and without a reference to downstream: after the end, a subscriber that keeps it keeps nothing else
/// alive.
@usableFromInline
final class StageLink: Subscription, Operators.Description, @unchecked Sendable {
  // `state` has its lock. `phase` is set under the lock and read without it, which saves the lock for every value.
  // `isOpen` and `schedule` are set during the subscription, before any other event.

  @usableFromInline enum State { case awaited(Subscribers.Demand), connected(any Subscription), ended }

  @usableFromInline let name: StaticString
  @usableFromInline let ratio: Int
  @usableFromInline let surplus: Int
  @usableFromInline let takesNoDemand: Bool
  @usableFromInline let state = Locked(State.awaited(.none))
  @usableFromInline let phase = Atomic(0)  // 0 awaited, 1 connected, 2 ended, 3 cancelled
  @usableFromInline var isOpen = false
  /// Makes calls to upstream later or on another thread, if it is set.
  @usableFromInline var schedule: ((@escaping () -> Void) -> Void)?

  @usableFromInline init(_ name: StaticString, ratio: Int, surplus: Int, takesNoDemand: Bool) {
    self.name = name
    self.ratio = ratio
    self.surplus = surplus
    self.takesNoDemand = takesNoDemand
  }

  @inlinable var isLive: Bool { phase.load(ordering: .relaxed) == 1 }
  @inlinable var hasEnded: Bool { phase.load(ordering: .relaxed) >= 2 }
  @inlinable var isCancelled: Bool { phase.load(ordering: .relaxed) == 3 }

  /// - Returns: The demand to request from upstream at once; nil if the subscription is not wanted.
  @usableFromInline func connect(_ subscription: any Subscription) -> Subscribers.Demand? {
    state.withLock { state in
      guard case .awaited(let demand) = state else { return nil }
      state = .connected(subscription)
      phase.store(1, ordering: .relaxed)
      return demand + surplus
    }
  }

  /// - Returns: The upstream, if it was connected.
  @usableFromInline func end() -> (any Subscription)? {
    state.withLock { state in
      guard case .connected(let upstream) = state else { return nil }
      state = .ended
      phase.store(2, ordering: .relaxed)
      return upstream
    }
  }

  /// Ends it before its upstream was connected.
  /// - Returns: Whether there was no upstream yet, and it had not ended.
  @usableFromInline func abandon() -> Bool {
    state.withLock { state in
      guard case .awaited = state else { return false }
      state = .ended
      phase.store(2, ordering: .relaxed)
      return true
    }
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    precondition(takesNoDemand || demand > .none, "demand must be greater than zero")
    let demand = ratio == 1 ? demand : demand * ratio
    let upstream = state.withLock { state -> (any Subscription)? in
      switch state {
      case .connected(let upstream):
        return upstream
      case .awaited(let pending):
        state = .awaited(pending + demand)
      case .ended:
        break
      }
      return nil
    }
    guard let upstream else { return }
    if let schedule { schedule { upstream.request(demand) } } else { upstream.request(demand) }
  }

  @usableFromInline func cancel() {
    guard let upstream = finish(3) else { return }
    if let schedule { schedule { upstream.cancel() } } else { upstream.cancel() }
  }

  /// Ends it, connected or not.
  /// - Parameter end: The phase afterwards: 2, or 3 for a cancel. No other phase follows 3.
  /// - Returns: The upstream, if it was connected.
  @discardableResult @usableFromInline func finish(_ end: Int = 2) -> (any Subscription)? {
    state.withLock { state in
      defer {
        state = .ended
        phase.max(end, ordering: .relaxed)
      }
      if case .connected(let upstream) = state { return upstream }
      return nil
    }
  }
}
