public import Sluice

/// A subscriber that records its events and finds violations of the contract.
///
/// ```swift
/// let subscriber = TestSubscriber<Int, Never>(initial: .max(2))
/// (1...5).publisher.subscribe(subscriber)
/// subscriber.values      // [1, 2]
/// subscriber.violations  // []
/// ```
///
/// ``Sluice/Publisher/record(initial:)`` makes one that is already subscribed. ``next(within:)``, ``finished(within:)``
/// and similar methods wait for events.
///
/// These are violations: a value without demand, a call during another call, any call before the subscription or after
/// the completion, and a forbidden call after a cancellation (``cancel()``). Any thread may call it.
public final class TestSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // The lock protects the state; the closures are called outside it.

  struct State {
    var values: [Input] = []
    var completion: Subscribers.Completion<Failure>?
    var subscription: (any Subscription)?
    var demand = Subscribers.Demand.none
    var deliverer: ThreadIdentity?  // of the current call
    var cancellation: Cancellation?
    var callsAfterCancel = 0
    var violations: [String] = []
    var taken = 0  // the number of values returned by `next`
    var waiters: [Waiter] = []
  }

  struct Cancellation {
    let thread = ThreadIdentity()
    let isWithin: Bool  // called from within `receive(_:)`
  }

  let state = Locked(State())
  private let initial: Subscribers.Demand
  private let answer: (Input) -> Subscribers.Demand
  private let ended: (Subscribers.Completion<Failure>) -> Void
  /// Whether it gains from runs of values.
  public let _takesRuns: Bool

  /// - Parameters:
  ///   - initial: The demand with the subscription.
  ///   - takesRuns: Whether it takes many values in one call, from a publisher that has many at once. It records the
  ///     same values.
  ///   - answer: Returns the further demand after each value.
  ///   - ended: Called with the completion.
  public init(
    initial: Subscribers.Demand = .unlimited, takesRuns: Bool = false,
    answer: @escaping (Input) -> Subscribers.Demand = { _ in .none },
    ended: @escaping (Subscribers.Completion<Failure>) -> Void = { _ in }
  ) {
    self.initial = initial
    _takesRuns = takesRuns
    self.ended = ended
    self.answer = answer
  }

  /// The values so far.
  public var values: [Input] { state.withLock { $0.values } }
  /// The end; nil before it has come.
  public var completion: Subscribers.Completion<Failure>? { state.withLock { $0.completion } }
  /// The violations of the contract.
  public var violations: [String] { state.withLock { $0.violations } }
  /// The number of values and completions that have come since ``cancel()`` returned.
  public var callsAfterCancel: Int { state.withLock { $0.callsAfterCancel } }
  /// The subscription; nil before it has come.
  public var subscription: (any Subscription)? { state.withLock { $0.subscription } }
  /// Whether it has its subscription.
  public var isSubscribed: Bool { subscription != nil }

  /// Whether the stream has finished.
  public var isFinished: Bool {
    if case .finished = completion { return true }
    return false
  }

  /// The error, if the stream has failed.
  public var failure: Failure? {
    if case .failure(let error) = completion { return error }
    return nil
  }

  public func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state in
      state.demand += demand
      return state.subscription
    }
    subscription?.request(demand)
  }

  /// Cancels the subscription, if there is one. After that it also finds forbidden calls.
  ///
  /// If it is called from within `receive(_:)`, nothing may follow. Otherwise nothing may come on the thread that
  /// cancelled, and at most one call that was already on its way may come from other threads.
  public func cancel() {
    let (subscription, isWithin) = state.withLock { ($0.subscription, $0.deliverer == ThreadIdentity()) }
    guard let subscription else { return }
    subscription.cancel()
    state.withLock { $0.cancellation = $0.cancellation ?? Cancellation(isWithin: isWithin) }
  }

  // MARK: Subscriber

  public func receive(subscription: any Subscription) {
    let first = state.withLock { state -> Bool in
      guard state.subscription == nil else {
        state.violations.append("a second subscription")
        return false
      }
      state.subscription = subscription
      return true
    }
    guard first else { return subscription.cancel() }
    if initial != .none { request(initial) }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    enter("value")
    state.withLock { state in
      if state.demand == .none { state.violations.append("a value that nobody asked for") } else { state.demand -= 1 }
      state.values.append(input)
    }
    let more = answer(input)
    let waiters = state.withLock { state in
      state.demand += more
      state.deliverer = nil
      return state.due
    }
    for waiter in waiters { waiter.wake() }
    return more
  }

  /// Receives a run of values.
  public func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    _receiveEach(of: run) { state.withLock { $0.cancellation == nil } }
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    enter("completion")
    state.withLock { state in
      state.completion = completion
      state.deliverer = nil
    }
    ended(completion)
    for waiter in state.withLock({ $0.due }) { waiter.wake() }
  }

  private func enter(_ what: String) {
    state.withLock { state in
      if state.deliverer != nil { state.violations.append("a \(what) during another call") }
      if state.subscription == nil { state.violations.append("a \(what) before the subscription") }
      if state.completion != nil { state.violations.append("a \(what) after the completion") }
      if let cancellation = state.cancellation {
        state.callsAfterCancel += 1
        if cancellation.isWithin {
          state.violations.append("a \(what) after the cancellation from within")
        } else if cancellation.thread == ThreadIdentity() {
          state.violations.append("a \(what) after the cancellation, on the thread that cancelled")
        } else if state.callsAfterCancel > 1 {
          state.violations.append("a \(what) after the cancellation, and not the first")
        }
      }
      state.deliverer = ThreadIdentity()
    }
  }
}
