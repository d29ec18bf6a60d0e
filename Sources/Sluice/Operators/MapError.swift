extension Publisher {
  /// Transforms the error of a failure.
  ///
  /// ```swift
  /// readings.mapError { RecordingError(cause: $0) }
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on the result of the closure for upstream's failure.
  @inlinable public func mapError<E: Error>(
    _ transform: @escaping (Failure) -> E
  ) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }
}

extension Publishers {
  /// Transforms the error of a failure.
  public struct MapError<Upstream: Publisher, Failure: Error>: _DirectPublisher {
    public typealias Output = Upstream.Output

    public let upstream: Upstream
    public let transform: (Upstream.Failure) -> Failure

    @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(MapErrorSubscriber(downstream: subscriber, name: "MapError", transform: transform))
    }
  }
}

/// The subscriber for all operators that change only the failure.
@usableFromInline
struct MapErrorSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let downstream: Downstream
  @usableFromInline let name: StaticString
  @usableFromInline let transform: (Failure) -> Downstream.Failure

  @inlinable init(
    downstream: Downstream, name: StaticString, transform: @escaping (Failure) -> Downstream.Failure
  ) {
    self.downstream = downstream
    self.name = name
    self.transform = transform
  }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }
  @inlinable var _takesRuns: Bool { downstream._takesRuns }
  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken { downstream._receive(run: run) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let error): downstream.receive(completion: .failure(transform(error)))
    }
  }
}
