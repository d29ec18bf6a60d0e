/// The subscription of an operator that looks at what passes: tells of each request and of the cancellation.
///
/// Like ``StageLink`` it is not generic and has no way back to downstream.
@usableFromInline
final class TapLink: Subscription, OperatorDescription, @unchecked Sendable {
  // The lock protects its state.
  @usableFromInline struct State {
    @usableFromInline var upstream: (any Subscription)?
    @usableFromInline var subscribed = false
    @usableFromInline var onRequest: ((Subscribers.Demand) -> Void)?
    @usableFromInline var onCancel: (() -> Void)?
    @inlinable init() {}
  }

  @usableFromInline let name: StaticString
  @usableFromInline let state = Locked(State())

  @usableFromInline init(
    _ name: StaticString, onRequest: ((Subscribers.Demand) -> Void)?, onCancel: (() -> Void)?
  ) {
    self.name = name
    state.withLock { state in
      state.onRequest = onRequest
      state.onCancel = onCancel
    }
  }

  /// - Returns: Whether this is its first upstream.
  @usableFromInline func connect(_ subscription: any Subscription) -> Bool {
    state.withLock { state in
      guard !state.subscribed else { return false }
      state.subscribed = true
      state.upstream = subscription
      return true
    }
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    let (onRequest, upstream) = state.withLock { ($0.onRequest, $0.upstream) }
    onRequest?(demand)
    upstream?.request(demand)
  }

  @usableFromInline func cancel() {
    let state = end()
    state.onCancel?()
    state.upstream?.cancel()
  }

  /// Lets go of everything.
  /// - Returns: What it was, to be let go of outside the lock.
  @discardableResult @usableFromInline func end() -> State {
    state.withLock { state in
      let before = state
      state.upstream = nil
      state.subscribed = true
      state.onRequest = nil
      state.onCancel = nil
      return before
    }
  }
}
