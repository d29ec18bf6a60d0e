extension Publisher {
  /// Changes every value with a closure.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.map { $0 * 10 }.sink { print($0) }  // 10 20 30
  /// ```
  ///
  /// Demand passes through; the closure runs on whichever thread brings the value.
  @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Changes every value with a closure.
  public struct Map<Upstream: Publisher, Output>: _DirectPublisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output

    @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(MapSubscriber(downstream: subscriber, transform: transform))
    }
  }
}

extension Publishers.Map {
  /// Two maps in one.
  @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    let first = self.transform
    return Publishers.Map<Upstream, T>(upstream: upstream) { transform(first($0)) }
  }
}

@usableFromInline
struct MapSubscriber<Input, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: (Input) -> Downstream.Input

  @inlinable init(downstream: Downstream, transform: @escaping (Input) -> Downstream.Input) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
