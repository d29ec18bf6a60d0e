/// Requests a value when somebody waits for one. It is cancelled with the task, and when the iterator is released. It
/// has no deinit for this, because its subscription retains it.
package final class AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // The lock protects the state.
  private typealias Waiter = CheckedContinuation<Result<Input?, Failure>, Never>

  private struct State {
    var upstream = UpstreamSlot.awaited
    var demand = Subscribers.Demand.none  // before the subscription
    var waiters: [Waiter] = []
    var ended = false
    var failure: Failure?  // thrown once
  }

  private let state = Locked(State())

  package init() {}

  /// - Returns: The next value; nil at the end, and after a failure was returned.
  package func next(isolation actor: isolated (any Actor)?) async -> Result<Input?, Failure> {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { waiter in
        let (subscription, answer) = state.withLock { state -> ((any Subscription)?, Result<Input?, Failure>?) in
          if let failure = state.failure.take() { return (nil, .failure(failure)) }
          if state.ended { return (nil, .success(nil)) }
          state.waiters.append(waiter)
          if !state.upstream.isConnected { state.demand += 1 }
          return (state.upstream.subscription, nil)
        }
        if let answer { answered(waiter, answer) }
        subscription?.request(.max(1))
      }
    } onCancel: {
      cancel()
    }
  }

  package func cancel() {
    let subscription = state.withLock { $0.upstream.end() }
    end(nil)
    subscription?.cancel()
  }

  package func receive(subscription: any Subscription) {
    let demand = state.withLock { state -> Subscribers.Demand? in
      state.upstream.accept(subscription) ? state.demand.take() : nil
    }
    guard let demand else { return subscription.cancel() }
    if demand != .none { subscription.request(demand) }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    let (waiter, others) = state.withLock { state -> (Waiter?, [Waiter]) in
      if !state.upstream.isConnected {  // as in Combine, values before the subscription are ignored
        defer { state.waiters = [] }
        return (nil, state.waiters)
      }
      precondition(!state.waiters.isEmpty, "a value was delivered that nobody asked for")
      return (state.waiters.removeFirst(), [])
    }
    if let waiter { answered(waiter, .success(input)) }
    for waiter in others { answered(waiter, .success(nil)) }
    return .none
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { end(error) } else { end(nil) }
  }

  private func end(_ failure: Failure?) {
    var failure = failure
    let (waiters, subscription) = state.withLock { state -> ([Waiter], (any Subscription)?) in
      guard !state.ended else { return ([], nil) }
      state.ended = true
      if state.waiters.isEmpty { state.failure = failure }
      defer { state.waiters = [] }
      return (state.waiters, state.upstream.end())
    }
    withExtendedLifetime(subscription) {}
    // The first waiter gets the error, the others get the end.
    for waiter in waiters {
      answered(waiter, failure.take().map { .failure($0) } ?? .success(nil))
    }
  }

  /// The caller is responsible for the sendability of values, as in Combine.
  private func answered(_ waiter: Waiter, _ answer: Result<Input?, Failure>) {
    nonisolated(unsafe) let answer = answer
    waiter.resume(returning: answer)
  }
}
