import Sluice

extension TestSubscriber {
  /// The result of a look at the state.
  enum Look<R> {
    case there(R)
    /// The stream has ended without the event, or the time is over. The error is made outside the lock, because it uses
    /// the descriptions of values.
    case over(State)
    case open
  }

  /// Looks at the state, and takes the result if it is there. If it may still come, the waiter will be woken.
  func look<R>(
    _ waiter: Waiter, until deadline: ContinuousClock.Instant, _ take: (inout State) -> R
  ) -> Look<R> {
    state.withLock { state in
      if state.has(waiter.awaited) { return .there(take(&state)) }
      if state.completion != nil || .now >= deadline { return .over(state) }
      if !state.waiters.contains(where: { $0 === waiter }) { state.waiters.append(waiter) }
      return .open
    }
  }

  func remove(_ waiter: Waiter) {
    state.withLock { $0.waiters.removeAll { $0 === waiter } }
  }
}
