extension Publisher {
  /// Publishes only the end.
  ///
  /// ```swift
  /// (1...3).publisher.ignoreOutput()
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { _ in })  // finished
  /// ```
  ///
  /// - Demand: Asks for everything.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }
}

extension Publishers {
  /// Publishes only the end.
  public struct IgnoreOutput<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Never
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(IgnoreOutputSubscriber<Upstream.Output, S>(downstream: subscriber))
    }
  }
}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

@usableFromInline
struct IgnoreOutputSubscriber<Input, Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @inlinable init(downstream: Downstream) { self.downstream = downstream }

  @usableFromInline var name: StaticString { "IgnoreOutput" }
  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand { .none }
  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
