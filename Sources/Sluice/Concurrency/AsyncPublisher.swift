extension Publisher where Failure == Never {
  /// The values of this publisher as an asynchronous sequence, for `for await`.
  ///
  /// ```swift
  /// for await reading in readings.values { print(reading) }
  /// ```
  ///
  /// Asks for one value when the loop asks for one. If values must not wait, put a `buffer` before it.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values of this publisher as an asynchronous sequence, for `for try await`. It throws the failure of the
  /// publisher.
  ///
  /// Asks for one value when the loop asks for one.
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that never fails as an asynchronous sequence.
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence where Upstream.Failure == Never {
  /// The type of the publisher's values.
  public typealias Element = Upstream.Output

  /// Iterates over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscriber: AsyncSubscriber<Upstream.Output, Never>
    fileprivate let lifetime: AnyCancellable

    /// The next value; nil after the end.
    public mutating func next() async -> Upstream.Output? {
      // An upstream that cannot fail brings no error.
      switch await subscriber.next() {
      case .success(let value): value
      case .failure: nil
      }
    }
  }

  private let publisher: Upstream

  /// Iterates over a publisher's values.
  public init(_ publisher: Upstream) { self.publisher = publisher }

  /// Subscribes for an iteration.
  public func makeAsyncIterator() -> Iterator {
    let subscriber = AsyncSubscriber<Upstream.Output, Never>()
    publisher.subscribe(subscriber)
    return Iterator(subscriber: subscriber, lifetime: AnyCancellable(subscriber))
  }
}

/// The values of a publisher as an asynchronous sequence, which throws the failure of the publisher.
public struct AsyncThrowingPublisher<Upstream: Publisher>: AsyncSequence {
  /// The type of the publisher's values.
  public typealias Element = Upstream.Output

  /// Iterates over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscriber: AsyncSubscriber<Upstream.Output, Upstream.Failure>
    fileprivate let lifetime: AnyCancellable

    /// The next value; nil after the end.
    public mutating func next() async throws -> Upstream.Output? { try await subscriber.next().get() }
  }

  private let publisher: Upstream

  /// Iterates over a publisher's values.
  public init(_ publisher: Upstream) { self.publisher = publisher }

  /// Subscribes for an iteration.
  public func makeAsyncIterator() -> Iterator {
    let subscriber = AsyncSubscriber<Upstream.Output, Upstream.Failure>()
    publisher.subscribe(subscriber)
    return Iterator(subscriber: subscriber, lifetime: AnyCancellable(subscriber))
  }
}

/// Asks for a value whenever the loop waits for one. It is cancelled with the task, and when the iterator is released.
/// It cannot use its own deinit for that, because its subscription keeps it alive.
private final class AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // The lock protects the state.
  typealias Waiter = CheckedContinuation<Result<Input?, Failure>, Never>

  struct State {
    var subscription: (any Subscription)?
    var demand = Subscribers.Demand.none  // before there is a subscription
    var waiters: [Waiter] = []
    var ended = false
    var failure: Failure?  // to be thrown once
  }

  private let state = Locked(State())

  func next() async -> Result<Input?, Failure> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let (subscription, answer) = state.withLock { state -> ((any Subscription)?, Result<Input?, Failure>?) in
          if let failure = state.failure.take() { return (nil, .failure(failure)) }
          if state.ended { return (nil, .success(nil)) }
          state.waiters.append(waiter)
          if state.subscription == nil { state.demand += 1 }
          return (state.subscription, nil)
        }
        if let answer { answered(waiter, answer) }
        subscription?.request(.max(1))
      }
    } onCancel: {
      cancel()
    }
  }

  func cancel() {
    let subscription = state.withLock { $0.subscription.take() }
    end(nil)
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.subscription == nil, !state.ended else { return nil }
      state.subscription = subscription
      return state.demand.take()
    }
    guard let demand else { return subscription.cancel() }
    if demand != .none { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let (waiter, others) = state.withLock { state -> (Waiter?, [Waiter]) in
      if state.subscription == nil {  // a value from nowhere is no value, as in Combine
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

  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { end(error) } else { end(nil) }
  }

  private func end(_ failure: Failure?) {
    var failure = failure
    let (waiters, subscription) = state.withLock { state -> ([Waiter], (any Subscription)?) in
      guard !state.ended else { return ([], nil) }
      state.ended = true
      if state.waiters.isEmpty { state.failure = failure }
      defer { state.waiters = [] }
      return (state.waiters, state.subscription.take())
    }
    withExtendedLifetime(subscription) {}
    // The error is for the first who waits, the others see the end.
    for waiter in waiters {
      answered(waiter, failure.take().map { .failure($0) } ?? .success(nil))
    }
  }

  /// Sendability of the values is the caller's responsibility, as in Combine.
  private func answered(_ waiter: Waiter, _ answer: Result<Input?, Failure>) {
    nonisolated(unsafe) let answer = answer
    waiter.resume(returning: answer)
  }
}
