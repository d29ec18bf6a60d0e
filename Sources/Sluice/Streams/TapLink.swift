public import Synchronization

/// The subscription of an operator that observes a stream. It reports each request and the cancellation.
///
/// Like ``StageLink``, it is not generic and has no reference to downstream.
@usableFromInline
final class TapLink: Subscription, Operators.Description, @unchecked Sendable {
  // `state` has its lock. `ended` is set under the lock and read without it, which saves the lock for every value.
  @usableFromInline struct State {
    @usableFromInline var upstream: (any Subscription)?
    @usableFromInline var subscribed = false
    @usableFromInline var onRequest: ((Subscribers.Demand) -> Void)?
    @usableFromInline var onCancel: (() -> Void)?
    @inlinable init() {}
  }

  @usableFromInline let name: StaticString
  @usableFromInline let state = Locked(State())
  @usableFromInline let ended = Atomic(false)
  private let staysAwake: Bool

  /// - Parameter staysAwake: Whether it reports requests and the cancellation even after the end.
  @usableFromInline init(
    _ name: StaticString, onRequest: ((Subscribers.Demand) -> Void)?, onCancel: (() -> Void)?,
    staysAwake: Bool = false
  ) {
    self.name = name
    self.staysAwake = staysAwake
    state.withLock { state in
      state.onRequest = onRequest
      state.onCancel = onCancel
    }
  }

  @inlinable var hasEnded: Bool { ended.load(ordering: .relaxed) }

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

  /// Releases everything.
  /// - Returns: Its content, to be released outside the lock.
  @discardableResult @usableFromInline func end() -> State {
    state.withLock { state in
      let before = state
      ended.store(true, ordering: .relaxed)
      state.upstream = nil
      state.subscribed = true
      guard !staysAwake else { return before }
      state.onRequest = nil
      state.onCancel = nil
      return before
    }
  }
}
