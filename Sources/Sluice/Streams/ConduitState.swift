extension Operators.Conduit {
  /// The state under a conduit's lock: the core and its connections.
  @usableFromInline struct State {
    @usableFromInline var core: Core?  // nil after the end
    @usableFromInline var upstreams: [UpstreamSlot]
    @usableFromInline var missing: Int
    @usableFromInline var alarm: Alarm?  // of an operator with time
    @usableFromInline var replacements = 0  // the number of upstreams replaced by another
    @usableFromInline var draining = true  // closed until downstream has its subscription, and again after the end
    @usableFromInline var unmet = Subscribers.Demand.none  // the demand that was left at the end, for a mirror
    @usableFromInline var opening = false  // downstream is receiving its subscription
    @usableFromInline var asking = Asking()  // for many inlets

    @inlinable init(_ core: Core) {
      self.core = core
      missing = core.inlets
      upstreams = Array(repeating: .awaited, count: core.inlets)
    }

    /// - Parameter answer: Collects the demand for the inlet whose `receive` is still on the stack; that call returns
    ///   it.
    @inlinable mutating func next(_ out: inout Operators.Outbox<Core>, _ answer: inout Answer) -> Operators.Action? {
      // Comparing the core with nil would copy it and its values.
      while let next = core?.apply({ $0.next(&out) }) as Operators.Action?? {
        guard let action = next else {
          if Core.hasManyInlets, asking.othersWait, let (inlet, demand) = asking.countEvent() {
            return .request(demand, inlet: inlet)
          }
          draining = false
          return nil
        }
        guard case .request(let demand, inlet: let asked) = action.kind, asked == answer.inlet,
          answer.replacements == replacements
        else { return action }
        answer.demand += demand
      }
      return nil
    }

    /// - Returns: The upstream to ask, or nil. The second value is for ``endAsking(_:)``; if it is nil, do not call
    ///   that.
    @inlinable mutating func ask(
      _ inlet: Int, _ demand: Subscribers.Demand
    ) -> (upstream: (any Subscription)?, former: Asking.Turn?) {
      guard let upstream = upstream(inlet) else { return (nil, nil) }
      guard Core.hasManyInlets else { return (upstream, nil) }
      let (isNow, former) = asking.begin(inlet, demand)
      return (isNow ? upstream : nil, former)
    }

    /// - Returns: The upstream to ask next.
    @inlinable mutating func endAsking(
      _ former: Asking.Turn
    ) -> (upstream: any Subscription, demand: Subscribers.Demand)? {
      while let (inlet, demand) = asking.end(former) {
        if let upstream = upstream(inlet) { return (upstream, demand) }
      }
      return nil
    }

    /// Closes an inlet.
    /// - Returns: Its upstream, to be cancelled or released outside the lock.
    @inlinable mutating func end(_ inlet: Int) -> (any Subscription)? {
      guard inlet < upstreams.count else { return nil }
      if Core.hasManyInlets, asking.othersWait { asking.forget(inlet) }
      return upstreams[inlet].end()
    }

    @inlinable mutating func open() {
      opening = false
      draining = core == nil
    }

    @inlinable func upstream(_ inlet: Int) -> (any Subscription)? {
      inlet < upstreams.count ? upstreams[inlet].subscription : nil
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
