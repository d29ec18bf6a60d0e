import Sluice

/// A subscriber that acts on its subscription, and counts calls, also those that come too late.
package final class Guest: Subscriber, Cancellable, @unchecked Sendable {
  // The lock protects the state; the closures are set before it subscribes.

  private struct State {
    var subscription: (any Subscription)?
    var isCancelled = false
    var hasEnded = false
    var calls = 0
    var callsTooLate = 0
  }

  private let state = Locked(State())
  package var onSubscription: (Guest) -> Void = { $0.subscription?.request(.unlimited) }
  package var onValue: (Guest) -> Void = { _ in }
  package var onEnd: (Guest) -> Void = { _ in }

  package init() {}

  /// Set it to nil to break a reference cycle.
  package var subscription: (any Subscription)? {
    get { state.withLock { $0.subscription } }
    set { replace(newValue) }
  }
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }
  package var calls: Int { state.withLock { $0.calls } }
  /// After it has cancelled, or after the end.
  package var callsTooLate: Int { state.withLock { $0.callsTooLate } }

  package func receive(subscription: any Subscription) {
    replace(subscription)
    onSubscription(self)
  }

  package func receive(_ input: Any) -> Subscribers.Demand {
    note()
    onValue(self)
    return .none
  }

  package func receive(completion: Subscribers.Completion<any Error>) {
    note()
    state.withLock { $0.hasEnded = true }
    onEnd(self)
  }

  /// The former one is let go of outside the lock.
  private func replace(_ new: (any Subscription)?) {
    let former = state.withLock { state in
      defer { state.subscription = new }
      return state.subscription
    }
    withExtendedLifetime(former) {}
  }

  private func note() {
    state.withLock { state in
      state.calls += 1
      if state.isCancelled || state.hasEnded { state.callsTooLate += 1 }
    }
  }

  package func cancel() {
    state.withLock { $0.isCancelled = true }
    subscription?.cancel()
  }
}
