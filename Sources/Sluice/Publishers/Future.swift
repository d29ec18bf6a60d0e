/// Publishes the one result of asynchronous work, then finishes, or fails.
///
/// ```swift
/// let answer = Future<Int, Never> { promise in
///   DispatchQueue.global().async { promise(.success(42)) }
/// }
/// let cancellable = answer.sink { print($0) }
/// let value = await answer.value
/// ```
///
/// The closure runs once, when the future is made, for any number of subscribers. The result is kept for later
/// subscribers. A value waits for demand; a failure does not.
public final class Future<Output, Failure: Error>: _DirectPublisher {
  /// Fulfils the future, once, from any thread.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline typealias Lines = Broadcast<FutureCore<Output, Failure>, Result<Output, Failure>?>
  @usableFromInline let broadcast = Lines("Future", memory: nil, waitsForDemand: true, portrait: .anyDemand)

  /// Calls a closure at once. It starts the work, and keeps the promise.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    // The promise keeps the future alive, so that it can be kept. The broadcast protects the state of the future, for
    // any values.
    nonisolated(unsafe) let future = self
    attemptToFulfill { future.fulfill($0) }
  }

  private func fulfill(_ result: Result<Output, Failure>) {
    let lines = broadcast.state.withLock { state -> [Lines.Line] in
      guard state.memory == nil else { return [] }
      state.memory = result
      defer { state.lines = [] }
      return state.lines
    }
    for line in lines {
      line.disconnect(0)
      line.feed { $0.receive(result) }
    }
  }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.subscribe(subscriber, to: self) { result, _ in FutureCore(result) }
  }
}

@usableFromInline
struct FutureCore<Output, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline var result: Result<Output, Failure>?
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var delivered = false

  @inlinable init(_ result: Result<Output, Failure>?) { self.result = result }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    demand += more
  }

  @inlinable mutating func receive(_ result: Result<Output, Failure>) { self.result = self.result ?? result }
  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {}

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    switch result {
    case nil:
      return nil
    case .failure(let error):
      return out.complete(.failure(error))
    case .success(let value):
      if delivered { return out.complete(.finished) }
      guard demand != .none else { return nil }
      delivered = true
      return out.deliver(value)
    }
  }
}

extension Future where Failure == Never {
  /// The value, when it is there.
  public var value: Output {
    get async {
      await withCheckedContinuation { continuation in
        receive(
          subscriber: FutureSubscriber<Output, Never> { result in
            nonisolated(unsafe) let result = result
            continuation.resume(with: result)
          })
      }
    }
  }
}

extension Future {
  /// The value, when it is there. It throws the failure of the future.
  public var value: Output {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        receive(
          subscriber: FutureSubscriber<Output, Failure> { result in
            nonisolated(unsafe) let result = result.mapError { $0 as any Error }
            continuation.resume(with: result)
          })
      }
    }
  }
}

/// Asks for the one value and passes on the result. The caller is responsible for the sendability of the value, as in
/// Combine.
private struct FutureSubscriber<Input, Failure: Error>: Subscriber {
  let combineIdentifier = CombineIdentifier()
  let resume: (Result<Input, Failure>) -> Void

  init(_ resume: @escaping (Result<Input, Failure>) -> Void) { self.resume = resume }

  func receive(subscription: any Subscription) { subscription.request(.max(1)) }

  func receive(_ input: Input) -> Subscribers.Demand {
    resume(.success(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { resume(.failure(error)) }
  }
}

extension Future: @unchecked Sendable where Output: Sendable {
  // The broadcast protects itself.
}
