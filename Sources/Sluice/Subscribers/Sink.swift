extension Subscribers {
  /// Asks for everything and hands it to closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    // `status` has its lock. The closures belong to upstream, whose calls are serial; only the completion clears them.
    @usableFromInline enum Status { case awaited, subscribed(any Subscription), ended }

    @exclusivity(unchecked) public private(set) var receiveValue: (Input) -> Void
    public private(set) var receiveCompletion: (Completion<Failure>) -> Void
    @usableFromInline let status = Locked(Status.awaited)

    public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      self.receiveValue = receiveValue
      self.receiveCompletion = receiveCompletion
    }

    public func receive(subscription: any Subscription) {
      let accepted = status.withLock { status -> Bool in
        guard case .awaited = status else { return false }
        status = .subscribed(subscription)
        return true
      }
      if accepted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    @inlinable public func receive(_ input: Input) -> Demand {
      receiveValue(input)
      return .none
    }

    public func receive(completion: Completion<Failure>) {
      let receiveCompletion = receiveCompletion
      end { _ in }
      receiveValue = { _ in }
      self.receiveCompletion = { _ in }
      receiveCompletion(completion)
    }

    public func cancel() { end { $0.cancel() } }

    /// Forgets the subscription, which is let go of outside the lock.
    private func end(_ body: (any Subscription) -> Void) {
      let status = status.withLock { status in
        defer { status = .ended }
        return status
      }
      if case .subscribed(let subscription) = status { body(subscription) }
    }
  }
}

extension Publisher {
  /// Hands every value and the end to closures, asking for as many as there are.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ```
  ///
  /// - Returns: Keep it: letting go of it stops the values.
  @inlinable public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    _attach(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Hands every value to a closure, asking for as many as there are.
  @inlinable public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
