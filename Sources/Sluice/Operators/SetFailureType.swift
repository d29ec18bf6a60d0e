extension Publisher where Failure == Never {
  /// Gives a publisher that cannot fail another failure type, so that it can be combined with a publisher of that type.
  ///
  /// ```swift
  /// Just(1).setFailureType(to: SomeError.self)
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Upstream has none, and this makes none.
  @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// Gives a publisher that cannot fail a failure type.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: _DirectPublisher where Upstream.Failure == Never {
    public typealias Output = Upstream.Output

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(
        MapErrorSubscriber(downstream: subscriber, name: "SetFailureType") { (never: Never) -> Failure in })
    }

    /// The same with another failure type.
    @inlinable public func setFailureType<E: Error>(to failure: E.Type) -> SetFailureType<Upstream, E> {
      SetFailureType<Upstream, E>(upstream: upstream)
    }
  }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
