extension Publisher {
  /// Continues with another publisher if upstream fails.
  ///
  /// ```swift
  /// primary.catch { error in backup }
  /// ```
  ///
  /// - Demand: Passes through; unmet demand goes to the other publisher.
  /// - Thread: The thread of upstream, then of the other publisher.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes upstream's failure to the closure, and passes on the failure of the other publisher.
  @inlinable public func `catch`<P: Publisher>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Continues with another publisher if upstream fails; if the closure throws, the stream ends with its error.
  ///
  /// - Demand: Passes through; unmet demand goes to the other publisher.
  /// - Thread: The thread of upstream, then of the other publisher.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes upstream's failure to the closure; an error of the closure ends the stream. Passes on the
  ///   failure of the other publisher.
  @inlinable public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// Continues with another publisher if upstream fails.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: _DirectPublisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    public let upstream: Upstream
    public let handler: (Upstream.Failure) -> NewPublisher

    @inlinable public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let handler = handler
      upstream._attach(
        CatchSubscriber<Upstream.Failure, S>(subscriber, Succession("Catch", takesNoDemand: false)) { error, caught in
          handler(error)._attach(SuccessorSubscriber(subscriber, caught))
        })
    }
  }

  /// Continues with another publisher if upstream fails, unless the closure throws.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: _DirectPublisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    /// The other publisher's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let handler: (Upstream.Failure) throws -> NewPublisher

    @inlinable public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let handler = handler
      upstream._attach(
        CatchSubscriber<Upstream.Failure, S>(subscriber, Succession("TryCatch", takesNoDemand: false)) {
          error, caught in
          do {
            let successor = try handler(error)
            let subscriber = MapErrorSubscriber<NewPublisher.Failure, S>(
              downstream: subscriber, name: caught.name, transform: { $0 })
            successor._attach(SuccessorSubscriber(subscriber, caught))
          } catch {
            if caught.abandon() { subscriber.receive(completion: .failure(error)) }
          }
        })
    }
  }
}

@usableFromInline
struct CatchSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let downstream: Downstream
  @usableFromInline let succession: Succession
  @usableFromInline let caught: (Failure, Succession) -> Void

  @inlinable init(
    _ downstream: Downstream, _ succession: Succession, caught: @escaping (Failure, Succession) -> Void
  ) {
    self.downstream = downstream
    self.succession = succession
    self.caught = caught
  }

  @usableFromInline var name: StaticString { succession.name }
  @inlinable var combineIdentifier: CombineIdentifier { succession.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) {
    if succession.connect(subscription) != nil {
      downstream.receive(subscription: succession)
    } else {
      subscription.cancel()
    }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard succession.isFirst else { return .none }
    succession.spend()
    return succession.answer(with: downstream.receive(input))
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    guard succession.isFirst else { return }
    switch completion {
    case .finished:
      if succession.end() != nil { downstream.receive(completion: .finished) }
    case .failure(let error):
      if succession.awaitNext() { caught(error, succession) }
    }
  }
}

/// The subscriber of the last upstream of a ``Succession``.
@usableFromInline
struct SuccessorSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let succession: Succession

  @inlinable init(_ downstream: Downstream, _ succession: Succession) {
    self.downstream = downstream
    self.succession = succession
  }

  @usableFromInline var name: StaticString { succession.name }
  @inlinable var combineIdentifier: CombineIdentifier { succession.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) {
    guard let demand = succession.connect(subscription) else { return subscription.cancel() }
    if demand != .none { subscription.request(demand) }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    succession.isConnected ? downstream.receive(input) : .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if succession.end() != nil { downstream.receive(completion: completion) }
  }
}
