public import Synchronization

/// The subscription of an operator that continues with another upstream after the first, and carries unmet demand over
/// to it.
///
/// Like ``StageLink``, it is not generic and has no reference to downstream.
@usableFromInline
final class Succession: Subscription, Operators.Description, @unchecked Sendable {
  // `state` has its lock. `phase` and `unlimited` are set under the lock and read without it, which saves the lock for
  // every value.

  @usableFromInline struct State {
    @usableFromInline var upstream = UpstreamSlot.awaited
    @usableFromInline var demand = Subscribers.Demand.none
    @inlinable init() {}
  }

  @usableFromInline let name: StaticString
  @usableFromInline let takesNoDemand: Bool
  @usableFromInline let state = Locked(State())
  @usableFromInline let phase = Atomic(0)  // of upstream n: 2n awaited, 2n + 1 connected; -1 ended
  @usableFromInline let unlimited = Atomic(false)

  @usableFromInline init(_ name: StaticString, takesNoDemand: Bool) {
    self.name = name
    self.takesNoDemand = takesNoDemand
  }

  @inlinable var isLive: Bool { phase.load(ordering: .relaxed) >= 0 }
  @inlinable var isConnected: Bool { phase.load(ordering: .relaxed) & 1 == 1 && isLive }
  /// Whether the first upstream is the current one.
  @inlinable var isFirst: Bool { 0...1 ~= phase.load(ordering: .relaxed) }

  /// - Returns: The demand to pass on; nil if the subscription is not wanted.
  @usableFromInline func connect(_ subscription: any Subscription) -> Subscribers.Demand? {
    state.withLock { state in
      guard state.upstream.accept(subscription) else { return nil }
      phase.add(1, ordering: .relaxed)
      return state.demand
    }
  }

  /// Notes that this upstream has ended and another one will follow.
  /// - Returns: Whether it was connected and may be followed.
  @usableFromInline func awaitNext() -> Bool { leave(for: .awaited) != nil }

  /// - Returns: The upstream, if it was connected.
  @usableFromInline func end() -> (any Subscription)? { leave(for: .gone) }

  private func leave(for next: UpstreamSlot) -> (any Subscription)? {
    state.withLock { state in
      guard state.upstream.isConnected else { return nil }
      defer { state.upstream = next }
      if next.isGone { phase.store(-1, ordering: .relaxed) } else { phase.add(1, ordering: .relaxed) }
      return state.upstream.end()
    }
  }

  /// Ends it before the next upstream is connected.
  /// - Returns: Whether it had not ended before.
  @usableFromInline func abandon() -> Bool {
    state.withLock { state in
      guard case .awaited = state.upstream else { return false }
      state.upstream = .gone
      phase.store(-1, ordering: .relaxed)
      return true
    }
  }

  // MARK: Demand

  /// - Returns: Whether there was demand to spend.
  @discardableResult @inlinable func spend() -> Bool {
    guard !unlimited.load(ordering: .relaxed) else { return true }
    return state.withLock { state in
      guard state.demand != .none else { return false }
      state.demand.spend()
      return true
    }
  }

  /// - Parameter demand: The demand that downstream returned for a value of the first upstream.
  /// - Returns: The demand to return to the first upstream. If another upstream has replaced it in the meantime, that
  ///   one gets the demand, and the result is none.
  @inlinable func answer(with demand: Subscribers.Demand) -> Subscribers.Demand {
    guard demand != .none else { return demand }
    guard isFirst else {
      request(demand)
      return .none
    }
    if !unlimited.load(ordering: .relaxed) { state.withLock { note(demand, &$0) } }
    return demand
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    precondition(takesNoDemand || demand > .none, "demand must be greater than zero")
    let upstream = state.withLock { state -> (any Subscription)? in
      note(demand, &state)
      return state.upstream.subscription
    }
    upstream?.request(demand)
  }

  @usableFromInline func cancel() {
    let upstream = state.withLock { state in
      phase.store(-1, ordering: .relaxed)
      return state.upstream.end()
    }
    upstream?.cancel()
  }

  @usableFromInline func note(_ demand: Subscribers.Demand, _ state: inout State) {
    state.demand += demand
    if state.demand == .unlimited { unlimited.store(true, ordering: .relaxed) }
  }
}
