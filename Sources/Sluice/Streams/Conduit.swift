import Synchronization

extension Operators {
  /// The one class behind every tier 2 operator and every hot source.
  ///
  /// Every event (an input, a completion, a request, a timer) goes through ``feed(answering:passing:settling:opening:_:)``: change the core
  /// under the lock, then drain it, unless somebody further down this stack or on another thread is draining already.
  /// So downstream sees one call at a time, in the order of the core, and nothing here can deadlock: the lock is never
  /// held while foreign code runs.
  ///
  /// The drain is open while an upstream is asked for values and while an effect is carried out. Both may bring values
  /// before they return, without end if the upstream is synchronous. These values are drained where they arrive.
  /// Meanwhile requests to other upstreams wait (`Asking`).
  public final class Conduit<Core: Operators.Core, Downstream: Subscriber>: @unchecked Sendable
  where Core.Output == Downstream.Input, Core.Failure == Downstream.Failure {
    // `state` has its lock; `downstream` belongs to whoever drains.

    @usableFromInline struct State {
      @usableFromInline var core: Core?  // nil once ended
      @usableFromInline var upstreams: [UpstreamSlot]
      @usableFromInline var missing: Int
      @usableFromInline var replacements = 0  // of one upstream by another
      @usableFromInline var draining = true  // closed until downstream has its subscription, and again after the end
      @usableFromInline var unmet = Subscribers.Demand.none  // demand that was left at the end, to be shown
      @usableFromInline var opening = false  // downstream is just being given its subscription
      @usableFromInline var asking = Asking()  // with many inlets

      @inlinable init(_ core: Core) {
        self.core = core
        missing = core.inlets
        upstreams = Array(repeating: .awaited, count: core.inlets)
      }

      /// - Parameter answer: Collects the demand for the inlet whose `receive` is still on the stack; that call returns
      ///   it.
      @inlinable mutating func next(_ out: inout Operators.Outbox<Core>, _ answer: inout Answer) -> Operators.Action? {
        while let action = core?.next(&out) {
          guard case .request(let demand, inlet: let asked) = action.kind, asked == answer.inlet,
            answer.replacements == replacements
          else { return action }
          answer.demand += demand
        }
        if Core.hasManyInlets, asking.othersWait, core != nil, let (inlet, demand) = asking.countEvent() {
          return .request(demand, inlet: inlet)
        }
        if core != nil { draining = false }
        return nil
      }

      /// - Returns: The upstream to ask, nil if it is not to be asked now; and the value to pass to ``endAsking(_:)``, nil if
      ///   that is not to be called.
      @inlinable mutating func ask(
        _ inlet: Int, _ demand: Subscribers.Demand
      ) -> (upstream: (any Subscription)?, former: Asking.Turn?) {
        guard let upstream = upstream(inlet) else { return (nil, nil) }
        guard Core.hasManyInlets else { return (upstream, nil) }
        let (isNow, former) = asking.begin(inlet, demand)
        return (isNow ? upstream : nil, former)
      }

      /// - Returns: Whom to ask next.
      @inlinable mutating func endAsking(
        _ former: Asking.Turn
      ) -> (upstream: any Subscription, demand: Subscribers.Demand)? {
        while let (inlet, demand) = asking.end(former) {
          if let upstream = upstream(inlet) { return (upstream, demand) }
        }
        return nil
      }

      @inlinable mutating func open() {
        opening = false
        draining = core == nil
      }

      @inlinable func upstream(_ inlet: Int) -> (any Subscription)? {
        inlet < upstreams.count ? upstreams[inlet].subscription : nil
      }
    }

    /// What debuggers call it.
    public let name: StaticString
    /// Whether downstream takes runs.
    public let takesRuns: Bool  // downstream does
    @usableFromInline let perform: (Core.Effect, Conduit) -> Void
    @usableFromInline let state: Locked<State>
    /// Set when downstream cancels. Downstream then gets neither the completion nor a value that was taken out of the
    /// core before.
    @usableFromInline let cancelled = Atomic(false)
    #if !DEBUG
      @exclusivity(unchecked)
    #endif
    @usableFromInline var outlet: Outlet<Downstream>
    @inlinable package var downstream: Downstream? { outlet.subscriber }
    /// The children that a mirror of the subscription shows; set before there is a subscription. The closure takes the
    /// conduit as an argument: a weak capture would move its reference count to a side table, which took 60 of the 86
    /// ns of a subject.
    @usableFromInline package var children: ((Conduit) -> [Mirror.Child])?

    /// - Parameter perform: Carries out the core's effects, on whichever thread is draining.
    @inlinable public init(
      _ name: StaticString, _ core: Core, _ downstream: Downstream, perform: @escaping (Core.Effect, Conduit) -> Void
    ) {
      self.name = name
      takesRuns = downstream._takesRuns
      outlet = Outlet(subscriber: downstream)
      self.perform = perform
      var core = core
      if takesRuns { core.giveRuns() }
      state = Locked(State(core))
    }

    // MARK: Events

    /// Changes the core, then does all that follows from it.
    ///
    /// - Parameters:
    ///   - inlet: The inlet whose `receive` waits for the answer: the demand for it is returned.
    ///   - pass: Asked first, if nothing is being delivered: the value that it returns is delivered at once, and
    ///     `event` is not called.
    ///   - settle: Called outside the lock with what `event` returned.
    ///   - opens: Whether the event comes from downstream, which shows that downstream has its subscription.
    /// - Returns: The demand for `inlet`.
    @inlinable @discardableResult
    public func feed<Leftover>(
      answering inlet: Int, passing pass: (inout Core) -> Core.Output?, settling settle: (Leftover) -> Void,
      opening opens: Bool = false, _ event: (inout Core) -> Leftover
    ) -> Subscribers.Demand {
      var answer = Answer(inlet: inlet)
      var out = Operators.Outbox<Core>()
      let (passed, action, leftover) = state.withLock { state -> (Core.Output?, Operators.Action?, Leftover?) in
        answer.replacements = state.replacements
        if opens, state.opening, state.core != nil { state.open() }
        if !state.draining, let output = state.core?.apply(pass) {
          state.draining = true
          return (output, nil, nil)
        }
        let leftover = state.core?.apply(event)
        if leftover == nil || state.draining { return (nil, nil, leftover) }
        state.draining = true
        return (nil, state.next(&out, &answer), leftover)
      }
      if let leftover { settle(leftover) }
      let first = if let passed { deliver(passed, &out, &answer) } else { action }
      if let first { drain(first, &out, &answer) }
      return answer.demand
    }

    /// Takes a run of values of one upstream.
    ///
    /// Values that can pass are delivered at once; the rest is queued under one lock. If downstream takes no runs, each
    /// value is a separate event.
    @inlinable public func feed<P: Operators.Port>(run: ArraySlice<P.Input>, _ port: P) -> Operators.Taken
    where P.Core == Core {
      var rest = run
      var demand = Subscribers.Demand.none
      var isOver = self.isOver
      while !isOver, let first = rest.first {
        guard takesRuns else {
          demand += feed(
            answering: port.inlet, passing: { port.pass(first, &$0) }, settling: { port.settle($0) },
            { port.receive(first, &$0) })
          rest.removeFirst()
          isOver = self.isOver
          continue
        }
        var answer = Answer(inlet: port.inlet)
        var out = Operators.Outbox<Core>()
        var leftovers: [P.Leftover] = []
        let (passed, action) = state.withLock { state -> (ArraySlice<Core.Output>, Operators.Action?) in
          answer.replacements = state.replacements
          if !state.draining, let passed = state.core?.apply({ port.pass(run: &rest, &$0) }), !passed.isEmpty {
            state.draining = true
            return (passed, nil)
          }
          state.core?.apply { port.receive(run: &rest, &$0, &leftovers) }
          if state.draining { return ([], nil) }
          state.draining = true
          return ([], state.next(&out, &answer))
        }
        for leftover in leftovers { port.settle(leftover) }
        var next = action
        if !passed.isEmpty {
          let taken: Operators.Taken
          (taken, next) = deliver(run: passed, &out, &answer)
          // Fewer than all if it is over: the rest is still upstream's.
          rest = run.suffix(rest.count + passed.count - taken.count)
          // The cancel may still be on its way, as through `subscribe(on:)`.
          isOver = taken.isOver
        }
        if let next { drain(next, &out, &answer) }
        demand += answer.demand
        isOver = isOver || self.isOver
      }
      return Operators.Taken(count: run.count - rest.count, demand: demand, isOver: isOver)
    }

    // Not default arguments: a default closure is allocated where the code is not specialised, one for each value.

    /// Changes the core for an event that no inlet waits for, and that may deliver at once.
    @inlinable @discardableResult
    public func feed<Leftover>(
      passing pass: (inout Core) -> Core.Output?, _ event: (inout Core) -> Leftover
    ) -> Subscribers.Demand {
      feed(answering: -1, passing: pass, settling: { _ in }, event)
    }

    /// Changes the core for an event that no inlet waits for.
    @inlinable @discardableResult
    public func feed<Leftover>(_ event: (inout Core) -> Leftover) -> Subscribers.Demand {
      feed(answering: -1, passing: { _ in nil }, settling: { _ in }, event)
    }

    @inlinable func drain(_ first: Operators.Action, _ out: inout Operators.Outbox<Core>, _ answer: inout Answer) {
      var action: Operators.Action? = first
      while let now = action {
        switch now.kind {
        case .deliver:
          guard let output = out.output else { return }
          out.output = nil
          action = deliver(output, &out, &answer)
        case .deliverRun:
          // Empty if it was cancelled meanwhile.
          let run = state.withLock { $0.core?.takeRun() } ?? []
          action = deliver(run: run[...], &out, &answer).next
        case .request(let demand, let asked):
          guard let (upstream, former) = lend({ $0.ask(asked, demand) }) else { return }
          upstream?.request(demand)
          if let former {
            while let next = state.withLock({ $0.endAsking(former) }) { next.upstream.request(next.demand) }
          }
          action = resume(&out, &answer)
          if action == nil { return }
        case .perform:
          guard let effect = out.effect else { return }
          out.effect = nil
          out.output = nil  // thrown away
          guard lend({ _ in () }) != nil else { return }
          perform(effect, self)
          action = resume(&out, &answer)
          if action == nil { return }
        case .complete:
          guard let completion = out.completion else { return }
          for upstream in end().upstreams { upstream.cancel() }
          let downstream = outlet.subscriber
          outlet.subscriber = nil
          // An upstream's cancellation may have led to one by downstream.
          if !cancelled.load(ordering: .relaxed) { downstream?.receive(completion: completion) }
          return
        }
      }
    }

    /// - Returns: What is to be done next.
    @inlinable func deliver(_ output: Core.Output, _ out: inout Operators.Outbox<Core>, _ answer: inout Answer)
      -> Operators.Action?
    {
      let more = outlet.receive(output)
      let (next, ended) = state.withLock { state in
        if more != .none { state.core?.request(more) }
        return (state.next(&out, &answer), state.core == nil)
      }
      // Cancelled meanwhile: whoever did it found the drain taken, and left downstream to this one.
      if ended { outlet.subscriber = nil }
      return next
    }

    /// - Returns: What downstream took, and what is to be done next.
    @inlinable func deliver(
      run: ArraySlice<Core.Output>, _ out: inout Operators.Outbox<Core>, _ answer: inout Answer
    ) -> (taken: Operators.Taken, next: Operators.Action?) {
      let taken = outlet.receive(run: run)
      let (next, ended) = state.withLock { state in
        if taken.demand != .none { state.core?.request(taken.demand) }
        return (state.next(&out, &answer), state.core == nil)
      }
      if ended { outlet.subscriber = nil }
      return (taken, next)
    }

    /// Opens the drain; `resume` takes it back.
    /// - Returns: nil if the conduit was cancelled meanwhile; then there is nothing left to do.
    @inlinable func lend<R>(_ body: (inout State) -> R) -> R? {
      let lent = state.withLock { state -> R? in
        guard state.core != nil else { return nil }
        state.draining = false
        return body(&state)
      }
      if lent == nil { outlet.subscriber = nil }
      return lent
    }

    /// Takes the drain back, unless it has been taken elsewhere.
    @inlinable func resume(_ out: inout Operators.Outbox<Core>, _ answer: inout Answer) -> Operators.Action? {
      state.withLock { state in
        if state.draining { return nil }
        state.draining = true
        return state.next(&out, &answer)
      }
    }

    /// Changes the core from within an effect. The drain continues afterwards. An event would drain here, one level
    /// deeper on the stack for each effect.
    @inlinable public func amend(_ change: (inout Core) -> Void) { state.withLock { $0.core?.apply(change) } }

    /// Whether it has ended, or was cancelled.
    @inlinable public var isOver: Bool { state.withLock { $0.core == nil } }

    // MARK: Subscription

    /// A request that downstream makes while it is given its subscription shows that it has the subscription. So the
    /// values that it asks for come before the request returns, as in Combine.
    @inlinable public func request(_ demand: Subscribers.Demand) {
      feed(answering: -1, passing: { _ in nil }, settling: { _ in }, opening: true) { $0.request(demand) }
    }

    /// Ends it: cancels all upstreams, and lets go of downstream.
    @inlinable public func cancel() {
      cancelled.store(true, ordering: .relaxed)
      let (upstreams, idle) = end()
      for upstream in upstreams { upstream.cancel() }
      if idle { outlet.subscriber = nil }
    }

    /// Closes the drain and takes out the core and the upstreams, in one step: otherwise a drain that is going on would
    /// open it again.
    ///
    /// - Returns: The upstreams, to be cancelled outside the lock: those that came later first, then the others in the
    ///   order of their inlets; and whether nobody was draining.
    @inlinable func end() -> (upstreams: [any Subscription], idle: Bool) {
      let (core, upstreams, idle) = state.withLock { state in
        let inlets = Swift.min(state.core?.inlets ?? 0, state.upstreams.count)
        defer {
          state.draining = true
          state.unmet = state.core?.demand ?? state.unmet
          state.core = nil
          state.upstreams = []
          if Core.hasManyInlets { state.asking.forgetAll() }
        }
        // Nearly always there is one alone, and nothing to put in order.
        let upstreams =
          state.upstreams.count == 1
          ? state.upstreams : state.upstreams[inlets...].reversed() + state.upstreams[..<inlets]
        return (state.core, upstreams, !state.draining)
      }
      withExtendedLifetime(core) {}
      return (upstreams.compactMap { $0.subscription }, idle)
    }

    // MARK: Connecting

    /// Connects an upstream. A second one for the same inlet is cancelled; the first is kept.
    ///
    /// Once all upstreams are there, or the one that matters, downstream gets its subscription, unless ``open()`` has
    /// given it one before.
    ///
    /// - Parameter isExpected: Whether the inlet still belongs to this upstream, if that may change.
    @inlinable public func connect(
      _ subscription: any Subscription, _ inlet: Int, if isExpected: (Core) -> Bool = { _ in true }
    ) {
      let (accepted, prefetch, complete) = state.withLock { state -> (Bool, Subscribers.Demand, Bool) in
        guard inlet < state.upstreams.count,
          let (prefetch, isOpener) = state.core?.apply({ core in
            isExpected(core) ? (core.prefetch(inlet), core.opener == inlet) : nil
          }), state.upstreams[inlet].accept(subscription)
        else { return (false, .none, false) }
        state.missing -= 1
        return (true, prefetch, state.missing == 0 || isOpener)
      }
      guard accepted else { return subscription.cancel() }
      if complete { open() }
      // Combine asks before downstream has its subscription, and so loses what a synchronous upstream sends at once.
      if prefetch != .none, state.withLock({ $0.core != nil }) { subscription.request(prefetch) }
      // Another upstream may have taken the inlet over meanwhile.
      feed { if isExpected($0) { $0.connected(inlet) } }
    }

    /// Gives downstream its subscription, then delivers what came in meanwhile.
    @inlinable public func open() {
      let first = state.withLock { state in
        guard state.missing >= 0 else { return false }
        state.missing = -1
        state.opening = true
        return true
      }
      guard first else { return }
      let children = children.map { children in { children(self) } }
      downstream?.receive(subscription: Handle(name, request: request, cancel: cancel, children: children))
      let ended = state.withLock { state in
        guard state.opening else { return false }
        state.open()
        return state.draining
      }
      if ended { outlet.subscriber = nil }
      feed { _ in }
    }

    /// Ends everything if downstream will never get its subscription, because the upstream of this inlet has ended
    /// without one.
    @inlinable public func giveUp(_ inlet: Int) {
      let isHopeless = state.withLock { state in
        guard state.missing > 0, inlet < state.upstreams.count, case .awaited = state.upstreams[inlet],
          let core = state.core
        else { return false }
        return core.opener.map { $0 == inlet } ?? true
      }
      if isHopeless { cancel() }
    }

    /// Opens an inlet for an upstream found only now, and cancels the one whose inlet it takes over.
    ///
    /// - Parameter event: Has the core choose the inlet: a new one, one whose upstream is through, or one that is in use.
    /// - Returns: Where to attach the upstream; nil after the end.
    @inlinable public func addInlet<P: Port>(_ event: (inout Core) -> P) -> P? where P.Core == Core {
      var former: (any Subscription)?
      let port = state.withLock { state -> P? in
        guard let port = state.core?.apply(event) else { return nil }
        state.replacements += 1
        while state.upstreams.count <= port.inlet { state.upstreams.append(.gone) }
        if Core.hasManyInlets, state.asking.othersWait { state.asking.forget(port.inlet) }
        if state.upstreams[port.inlet].isConnected { former = state.upstreams[port.inlet].end() }
        state.upstreams[port.inlet] = .awaited
        return port
      }
      former?.cancel()
      return port
    }

    /// Cancels an upstream before the end, from within an effect: the core wants nothing more of it.
    @inlinable public func cancelUpstream(_ inlet: Int) {
      let upstream = state.withLock { state -> (any Subscription)? in
        inlet < state.upstreams.count ? state.upstreams[inlet].end() : nil
      }
      upstream?.cancel()
    }

    /// Notes that an upstream has ended.
    ///
    /// - Parameter isExpected: Whether the inlet still belongs to this upstream, if that may change.
    @inlinable public func disconnect(_ inlet: Int, if isExpected: (Core) -> Bool = { _ in true }) {
      let gone = state.withLock { state -> (any Subscription)? in
        // One that is still awaited stays so: its source may have ended while it subscribes.
        guard inlet < state.upstreams.count, state.upstreams[inlet].isConnected,
          state.core?.apply({ isExpected($0) }) == true
        else { return nil }
        if Core.hasManyInlets, state.asking.othersWait { state.asking.forget(inlet) }
        return state.upstreams[inlet].end()
      }
      withExtendedLifetime(gone) {}
    }
  }
}

/// The demand that is returned to an upstream that has just sent a value.
@frozen @usableFromInline
struct Answer {
  @usableFromInline let inlet: Int
  /// `State.replacements` when the value arrived. If it has changed since, the inlet may belong to another upstream.
  @usableFromInline var replacements = 0
  @usableFromInline var demand = Subscribers.Demand.none

  @inlinable init(inlet: Int) { self.inlet = inlet }
}

extension Operators.Conduit where Core.Effect == Never {
  /// Makes a conduit for a core without effects.
  @inlinable public convenience init(_ name: StaticString, _ core: Core, _ downstream: Downstream) {
    self.init(name, core, downstream) { _, _ in }
  }
}
