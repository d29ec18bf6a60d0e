extension Publisher {
  /// Publishes the number of values when upstream finishes.
  ///
  /// ```swift
  /// [3, 1, 2].publisher.count().sink { print($0) }  // 3
  /// ```
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps the count.
  /// - Failure: Passes on upstream's at once, in place of the result.
  @inlinable public func count() -> Publishers.Count<Self> { Publishers.Count(upstream: self) }
}

extension Publishers {
  /// Publishes the number of values.
  public struct Count<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.FoldConduit("Count", CountFold<Upstream.Output, Failure>(), subscriber))
    }
  }
}

extension Publishers.Count: Sendable where Upstream: Sendable {}

extension Publishers.Count: Equatable where Upstream: Equatable {}

@usableFromInline
struct CountFold<Input, Failure: Error>: Operators.Fold {
  @usableFromInline var count = 0
  @inlinable init() {}

  @inlinable var result: Int? { count }
  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    count += 1
    return true
  }
}
