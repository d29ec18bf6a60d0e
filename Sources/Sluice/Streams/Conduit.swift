public import Synchronization

extension Operators {
  /// The one class behind every tier 2 operator and every hot source.
  ///
  /// Every event (an input, a completion, a request, a timer) goes through ``feed(answering:passing:settling:opening:_:)``: change the core
  /// under the lock, then drain it, unless somebody further down this stack or on another thread is draining already.
  /// So downstream sees one call at a time, in the order of the core, and nothing here can deadlock: the lock is never
  /// held while foreign code runs.
  ///
  /// The drain is open during a request to an upstream, during a cancel of one, and during an effect. All three may
  /// bring values before they return, without end if the upstream is synchronous. These values are drained where they
  /// arrive. Requests to other upstreams wait until then (`Asking`).
  public final class Conduit<Core: Operators.Core, Downstream: Subscriber>: @unchecked Sendable
  where Core.Output == Downstream.Input, Core.Failure == Downstream.Failure {
    // `state` has its lock. Only the thread that drains uses `outlet`.

    /// The name in debuggers.
    public let name: StaticString
    /// Whether downstream takes runs.
    public let takesRuns: Bool  // downstream does
    @usableFromInline let perform: (Core.Effect, Conduit) -> Void
    @usableFromInline let state: Locked<State>
    /// Set when downstream cancels. Downstream then gets neither the completion nor a value that was already taken out
    /// of the core.
    @usableFromInline let cancelled = Atomic(false)
    #if !DEBUG
      @exclusivity(unchecked)
    #endif
    @usableFromInline var outlet: Outlet<Downstream>
    /// The children that a mirror of the subscription shows; set before there is a subscription. The closure takes the
    /// conduit as an argument: a weak capture would move its reference count to a side table, which took 60 of the 86
    /// ns of a subject.
    @usableFromInline package var children: ((Conduit) -> [Mirror.Child])?

    /// - Parameter perform: Carries out the effects of the core, on the thread that drains.
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

    /// Changes the core, then carries out the next steps.
    ///
    /// - Parameters:
    ///   - inlet: The inlet with a `receive` that waits for the answer. The demand for it is returned.
    ///   - pass: Called first, if nothing is being delivered. The value that it returns is delivered at once, and
    ///     `event` is not called.
    ///   - settle: Called outside the lock with the result of `event`.
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

    /// Receives a run of values from one upstream.
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
          // If it is over, downstream took only some values, and the rest stays with upstream.
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

    // Not default arguments: a default closure is allocated in unspecialised code, one for each value.

    /// Changes the core for an event without a waiting inlet. The event may deliver at once.
    @inlinable @discardableResult
    public func feed<Leftover>(
      passing pass: (inout Core) -> Core.Output?, _ event: (inout Core) -> Leftover
    ) -> Subscribers.Demand {
      feed(answering: -1, passing: pass, settling: { _ in }, event)
    }

    /// Changes the core for an event without a waiting inlet.
    @inlinable @discardableResult
    public func feed<Leftover>(_ event: (inout Core) -> Leftover) -> Subscribers.Demand {
      feed(answering: -1, passing: { _ in nil }, settling: { _ in }, event)
    }

    @inlinable func drain(_ first: Operators.Action, _ out: inout Operators.Outbox<Core>, _ answer: inout Answer) {
      var action: Operators.Action? = first
      while let now = action {
        switch now.kind {
        case .deliver:
          guard let output = out.heldOutput.take() else { preconditionFailure("the answer is not from this outbox") }
          action = deliver(output, &out, &answer)
        case .deliverRun:
          // Empty if the conduit was cancelled in the meantime.
          let run = state.withLock { $0.core?.takeRun() } ?? []
          action = deliver(run: run[...], &out, &answer).next
        case .request(let demand, let inlet):
          guard ask(inlet, demand) else { return }
          action = resume(&out, &answer)
          if action == nil { return }
        case .cancel(let inlet):
          guard cancel(inlet) else { return }
          action = resume(&out, &answer)
          if action == nil { return }
        case .perform:
          guard carryOut(&out) else { return }
          action = resume(&out, &answer)
          if action == nil { return }
        case .complete: return complete(&out)
        }
      }
    }

    // Each step is a separate function, because unoptimised code reserves the stack of all steps in every `drain`. A request
    // that goes up a chain is in one `drain` per operator.

    /// - Returns: Whether the stream goes on, here and below.
    @inlinable func ask(_ inlet: Int, _ demand: Subscribers.Demand) -> Bool {
      guard let (upstream, former) = lend({ $0.ask(inlet, demand) }) else { return false }
      upstream?.request(demand)
      if let former { askOthers(former) }
      return true
    }

    @inlinable func askOthers(_ former: Asking.Turn) {
      while let next = state.withLock({ $0.endAsking(former) }) { next.upstream.request(next.demand) }
    }

    @inlinable func cancel(_ inlet: Int) -> Bool {
      guard let upstream = lend({ $0.end(inlet) }) else { return false }
      upstream?.cancel()
      return true
    }

    @inlinable func carryOut(_ out: inout Operators.Outbox<Core>) -> Bool {
      guard let effect = out.heldEffect.take() else { preconditionFailure("the answer is not from this outbox") }
      out.heldOutput = nil  // discarded
      guard lend({ _ in () }) != nil else { return false }
      perform(effect, self)
      return true
    }

    @inlinable func complete(_ out: inout Operators.Outbox<Core>) {
      guard let completion = out.heldCompletion else { preconditionFailure("the answer is not from this outbox") }
      for source in end().sources { source.cancel() }
      let downstream = outlet.subscriber
      outlet.subscriber = nil
      // Downstream may have cancelled while an upstream was cancelled.
      if !cancelled.load(ordering: .relaxed) { downstream?.receive(completion: completion) }
    }

    /// - Returns: The next step.
    @inlinable func deliver(_ output: Core.Output, _ out: inout Operators.Outbox<Core>, _ answer: inout Answer)
      -> Operators.Action?
    {
      let more = outlet.receive(output)
      let (next, ended) = state.withLock { state in
        if more != .none { state.core?.request(more) }
        let next = state.next(&out, &answer)
        // The drain is closed and there is no next step, so the stream has ended. Comparing the core with nil would
        // copy it.
        return (next, next == nil && state.draining)
      }
      // Cancelled in the meantime. The thread that cancelled found the drain in use, and left the release of downstream
      // to this thread.
      if ended { outlet.subscriber = nil }
      return next
    }

    /// - Returns: The values that downstream took, and the next step.
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

    /// Opens the drain; `resume` closes it again.
    /// - Returns: nil if the conduit was cancelled in the meantime. Then there is nothing left to do.
    @inlinable func lend<R>(_ body: (inout State) -> R) -> R? {
      let lent = state.withLock { state -> R? in
        guard state.core != nil else { return nil }
        state.draining = false
        return body(&state)
      }
      if lent == nil { outlet.subscriber = nil }
      return lent
    }

    /// Closes the drain again, unless another call has closed it.
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

    /// A request of downstream during the delivery of its subscription shows that it has the subscription. So the
    /// requested values come before the request returns, as in Combine.
    @inlinable public func request(_ demand: Subscribers.Demand) {
      feed(answering: -1, passing: { _ in nil }, settling: { _ in }, opening: true) { $0.request(demand) }
    }

    /// Ends the stream: cancels all upstreams, and releases downstream.
    @inlinable public func cancel() {
      cancelled.store(true, ordering: .relaxed)
      let (sources, idle) = end()
      for source in sources { source.cancel() }
      if idle { outlet.subscriber = nil }
    }

    /// Closes the drain and takes out the core and the upstreams, in one step. Otherwise a running drain would open it
    /// again.
    ///
    /// - Returns: The timer and the upstreams, to be cancelled outside the lock, and whether nobody was draining.
    ///   Upstreams that were added later come first, then the others in the order of their inlets.
    @inlinable func end() -> (sources: [any Cancellable], idle: Bool) {
      let (core, alarm, upstreams, idle) = state.withLock { state in
        let inlets = Swift.min(state.core?.inlets ?? 0, state.upstreams.count)
        defer {
          state.draining = true
          state.unmet = state.core?.demand ?? state.unmet
          state.core = nil
          state.alarm = nil
          state.upstreams = []
          if Core.hasManyInlets { state.asking.forgetAll() }
        }
        // Usually there is only one, and nothing to sort.
        let upstreams =
          state.upstreams.count == 1
          ? state.upstreams : state.upstreams[inlets...].reversed() + state.upstreams[..<inlets]
        return (state.core, state.alarm, upstreams, !state.draining)
      }
      withExtendedLifetime(core) {}
      let connected = upstreams.compactMap { $0.subscription as (any Cancellable)? }
      return (alarm.map { [$0] + connected } ?? connected, idle)
    }

    // MARK: Connecting

    /// Connects an upstream. A second one for the same inlet is cancelled; the first is kept.
    ///
    /// When all upstreams are there, or the one that matters, downstream gets its subscription, unless ``open()`` has
    /// already done it.
    ///
    /// - Parameter isExpected: Whether the inlet still belongs to this upstream, if that may change.
    @inlinable public func connect(
      _ subscription: any Subscription, _ inlet: Int, if isExpected: (Core) -> Bool = { _ in true }
    ) {
      let (accepted, prefetch, complete) = state.withLock { state -> (Bool, Subscribers.Demand, Bool) in
        guard
          let (prefetch, isOpener) = state.core?.apply({ core in
            isExpected(core) ? (core.prefetch(inlet), core.opener == inlet) : nil
          })
        else { return (false, .none, false) }
        precondition(inlet < state.upstreams.count, "the core has fewer inlets than ports: see Operators.Core.inlets")
        guard state.upstreams[inlet].accept(subscription) else { return (false, .none, false) }
        state.missing -= 1
        return (true, prefetch, state.missing == 0 || isOpener)
      }
      guard accepted else { return subscription.cancel() }
      if complete { open() }
      // Combine requests before downstream has its subscription, and so loses values that a synchronous upstream sends
      // at once.
      if prefetch != .none, state.withLock({ $0.core != nil }) { subscription.request(prefetch) }
      // Another upstream may have taken the inlet in the meantime.
      feed { if isExpected($0) { $0.connected(inlet) } }
    }

    /// Gives downstream its subscription, then delivers the values that came in the meantime.
    @inlinable public func open() {
      let first = state.withLock { state in
        guard state.missing >= 0 else { return false }
        state.missing = -1
        state.opening = true
        return true
      }
      guard first else { return }
      let children = children.map { children in { children(self) } }
      outlet.subscriber?.receive(subscription: Handle(name, request: request, cancel: cancel, children: children))
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

    /// Opens an inlet for a new upstream, and cancels the upstream of that inlet, if there is one.
    ///
    /// - Parameter event: Makes the core choose the inlet: a new one, one with a finished upstream, or one in use.
    /// - Returns: The port for the upstream; nil after the end.
    @inlinable public func addInlet<P: Port>(_ event: (inout Core) -> P) -> P? where P.Core == Core {
      var former: (any Subscription)?
      let port = state.withLock { state -> P? in
        guard let port = state.core?.apply(event) else { return nil }
        state.replacements += 1
        while state.upstreams.count <= port.inlet { state.upstreams.append(.gone) }
        former = state.end(port.inlet)
        state.upstreams[port.inlet] = .awaited
        return port
      }
      former?.cancel()
      return port
    }

    /// Notes that an upstream has ended.
    ///
    /// - Parameter isExpected: Whether the inlet still belongs to this upstream, if that may change.
    @inlinable public func disconnect(_ inlet: Int, if isExpected: (Core) -> Bool = { _ in true }) {
      let gone = state.withLock { state -> (any Subscription)? in
        // A missing upstream stays expected: its source may have ended while it subscribes.
        guard inlet < state.upstreams.count, state.upstreams[inlet].isConnected,
          state.core?.apply({ isExpected($0) }) == true
        else { return nil }
        return state.end(inlet)
      }
      withExtendedLifetime(gone) {}
    }
  }
}

extension Operators.Conduit where Core.Effect == Never {
  /// Makes a conduit for a core without effects.
  @inlinable public convenience init(_ name: StaticString, _ core: Core, _ downstream: Downstream) {
    self.init(name, core, downstream) { _, _ in }
  }
}
